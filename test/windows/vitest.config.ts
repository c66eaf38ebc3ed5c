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
    // Node loads the files itself: paths are then Windows paths, and the loader of Vitest has no Windows binary here.
    experimental: { viteModuleRunner: false },
    maxWorkers: 2,
    // Some tests wait for a second of real time, which Wine on a busy machine may need just to start.
    retry: 1,
    maxConcurrency: 20,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
  },
})
