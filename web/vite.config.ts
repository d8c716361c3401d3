// Builds the web UI into `dist`: relative asset paths, no source maps, nothing from other origins.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  base: './',
  plugins: [
    svelte({
      // Every class we emit starts with `sl-`, also the ones Svelte makes for scoping.
      compilerOptions: { cssHash: ({ hash, css }) => `sl-${hash(css)}` },
    }),
  ],
  build: {
    target: 'es2022',
    sourcemap: false,
    modulePreload: { polyfill: false },
    // The content security policy allows no data: scripts or styles, so nothing is inlined.
    assetsInlineLimit: 0,
  },
  // Tests of the app's state run the browser build of Svelte, as the page does.
  resolve: process.env['VITEST'] ? { conditions: ['browser'] } : {},
  test: {
    include: ['src/**/*.test.ts'],
    environment: 'node',
    // Node 20 has exact numbers behind a flag; browsers and later versions have them.
    execArgv: 'rawJSON' in JSON ? [] : ['--harmony-json-parse-with-source'],
  },
});
