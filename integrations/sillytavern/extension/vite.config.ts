// Builds the extension as the host loads it: one ES module, one style sheet and the manifest in `dist/`, and the
// screens in `dist/chunks/`, which are loaded when the drawer is opened.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  base: './',
  publicDir: 'static',
  plugins: [
    svelte({
      // Every class we emit starts with `sl-`, also the ones Svelte makes for scoping.
      compilerOptions: { cssHash: ({ hash, css }) => `sl-${hash(css)}` },
    }),
  ],
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    minify: false,
    lib: { entry: 'src/index.ts', formats: ['es'], fileName: () => 'index.js', cssFileName: 'style' },
    // Names without a hash: a new version replaces the files of the old one.
    rolldownOptions: { output: { chunkFileNames: 'chunks/[name].js' } },
  },
  // Tests of what the drawer knows run the browser build of Svelte, as the page does.
  resolve: process.env['VITEST'] ? { conditions: ['browser'] } : {},
  test: {
    include: ['src/**/*.test.ts'],
    // Node 20 has exact numbers behind a flag; browsers and later versions have them.
    execArgv: 'rawJSON' in JSON ? [] : ['--harmony-json-parse-with-source'],
  },
});
