// Builds the extension as the host loads it: one ES module, one style sheet and the manifest in `dist/`.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  publicDir: 'static',
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    minify: false,
    lib: { entry: 'src/index.ts', formats: ['es'], fileName: () => 'index.js' },
  },
  // Node 20 has exact numbers behind a flag; browsers and later versions have them.
  test: { execArgv: 'rawJSON' in JSON ? [] : ['--harmony-json-parse-with-source'] },
});
