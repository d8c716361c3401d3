// Runs the schedules: `STOREYLINE_SOAK_SCHEDULES` says how many, `STOREYLINE_SOAK_SEED` from which seed on.
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['network/*.soak.ts'], testTimeout: 3_600_000, hookTimeout: 60_000 } });
