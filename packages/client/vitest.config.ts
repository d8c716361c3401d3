import { defineConfig } from 'vitest/config';

// Node 20 has exact numbers behind a flag; browsers and later versions have them.
export default defineConfig({ test: { execArgv: 'rawJSON' in JSON ? [] : ['--harmony-json-parse-with-source'] } });
