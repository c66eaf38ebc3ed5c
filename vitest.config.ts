import { resolve } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'

/** Compile-time constants of the build, as the sources know them. */
const define = { __LECTERN_VERSION__: JSON.stringify('0.0.0-test') }

// Threads and programs of the tests start from the sources, again and again: what Node made of a file serves the next start.
process.env['NODE_COMPILE_CACHE'] ??= resolve('node_modules/.cache/lectern/compiled')

/** Browser tests that hear, play, kill or press keys by the clock: what they find must not depend on a neighbour. */
const alone = ['documents-find', 'meeting', 'recording', 'torture', 'voice-clone'].map(
  (name) => `test/e2e/${name}.test.ts`,
)

/** Hang limits, as those of the unit tests; a minute is recorded in one of them. */
const inBrowser = { testTimeout: 300_000, hookTimeout: 180_000 }

export default defineConfig({
  define,
  test: {
    allowOnly: false,
    // V8 of Node 24 frees a wasm wrapper that another thread's module still holds (Runtime_TierUpWasmToJSWrapper, a crash of the
    // whole process about once in thirty files that begin and end many workers): without generic wrappers there is none to free.
    execArgv: ['--no-wasm-generic-wrapper'],
    // The tests bring their own programs (workers, hosts, keyrings): more files at once than cores only makes them late.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        define,
        plugins: [vue()],
        test: {
          name: 'unit',
          include: ['test/**/*.test.{ts,mjs}'],
          exclude: ['test/e2e/**'],
          // What a file does at once is waiting, not working.
          maxConcurrency: 20,
          // Hang limits, no judgement of speed: a busy machine stays far below them.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 90_000, interval: 20 } },
        },
      },
      {
        define,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: alone,
          ...inBrowser,
        },
      },
      // One after another, when all the others are through.
      { define, test: { name: 'e2e-alone', include: alone, fileParallelism: false, ...inBrowser } },
    ],
  },
})
