import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from '../longest-first.ts'
import { filesNotRunnableOn } from './not-runnable.mjs'
import { wine } from './pool.ts'

export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  define: { __LECTERN_VERSION__: JSON.stringify('0.0.0-test') },
  test: {
    name: 'windows',
    allowOnly: false,
    include: ['test/{main,shared,local-service,system,security}/**/*.test.{ts,mjs}'],
    exclude: filesNotRunnableOn('wine'),
    setupFiles: ['test/windows/setup.ts'],
    pool: wine,
    sequence: { sequencer: LongestFirst },
    // Node loads the files by itself: paths are then those of Windows, and what vitest would load them with has no part for Windows here.
    experimental: { viteModuleRunner: false },
    maxWorkers: 2,
    // Some wait for a second by the clock, which Wine on a busy machine may take for a start alone.
    retry: 1,
    maxConcurrency: 20,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
  },
})
