import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

/** Compile-time constants of the build, as the sources know them. */
const define = { __LECTERN_VERSION__: JSON.stringify('0.0.0-test') }

export default defineConfig({
  define,
  test: {
    allowOnly: false,
    // V8 of Node 24 frees a wasm wrapper that another thread's module still holds (Runtime_TierUpWasmToJSWrapper, a crash of the
    // whole process about once in thirty files that begin and end many workers): without generic wrappers there is none to free.
    execArgv: ['--no-wasm-generic-wrapper'],
    // The tests bring their own programs (workers, hosts, keyrings): more files at once than cores only makes them late.
    maxWorkers: 2,
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
          // One browser at a time: what is measured and looked at must not depend on its neighbours.
          fileParallelism: false,
          // Hang limits as above; a minute is recorded in one of them.
          testTimeout: 300_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
