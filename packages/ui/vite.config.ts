// Only the tests of this package run from here; the two shells build it into their own bundles.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [svelte()],
  // Tests of the models run the browser build of Svelte, as the shells do.
  resolve: process.env['VITEST'] ? { conditions: ['browser'] } : {},
  test: {
    include: ['src/**/*.test.ts'],
    environment: 'node',
    // Node 20 has exact numbers behind a flag; browsers and later versions have them.
    execArgv: 'rawJSON' in JSON ? [] : ['--harmony-json-parse-with-source'],
  },
});
