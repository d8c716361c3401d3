// Runs the schedules: `STOREYLINE_SOAK_SCHEDULES` is their number, `STOREYLINE_SOAK_SEED` the first seed.
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['network/*.soak.ts'], testTimeout: 3_600_000, hookTimeout: 60_000 } });
