import { resolve } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'
import { filesNotRunnableOn, testPlace } from './test/windows/not-runnable.mjs'

/** Compile-time constants of the build, as the sources know them. */
const define = { __LECTERN_VERSION__: JSON.stringify('0.0.0-test') }

// Threads and programs of the tests start from the sources, again and again: what Node made of a file serves the next start.
process.env['NODE_COMPILE_CACHE'] ??= resolve('node_modules/.cache/lectern/compiled')

const inBrowserFiles = (...names: readonly string[]): string[] =>
  names.map((name) => `test/e2e/${name}.test.ts`)

/** Browser tests that hear, play, kill or press keys by the clock: what they find must not depend on a neighbour. */
const alone = inBrowserFiles(
  'documents-find',
  'meeting',
  'recording',
  'transcription-crash',
  'voice-clone',
)

/** Browser tests that every run repeats over the built Electron app: saving, a second window, files that come in, a policy. */
const overBoth = inBrowserFiles(
  'bench',
  'chats-list',
  'chats-outside',
  'documents-find',
  'hostile',
  'library-archive',
)

/** Browser tests that say nothing about the built Electron app. */
const neverOverElectron = [
  // The answers of the host are replaced in its web socket, which a window does not have.
  ...inBrowserFiles('access'),
  // Parts of the page alone, without a host.
  ...inBrowserFiles(
    'answer-hostile',
    'answer-takeouts',
    'chat-sources',
    'markdown-hostile',
    'markdown-pane',
  ),
  // The way into a browser tab: launch file, cookie, key.
  ...inBrowserFiles('entry', 'network-settings'),
  // A host of their own in the test's process, or a page over a main in miniature.
  ...inBrowserFiles('saving', 'transcription-crash', 'updates'),
]

/** Hang limits, no judgement of speed: a busy machine stays far below them. */
const poll = { timeout: 90_000, interval: 20 }
/** A minute is recorded in one of them. */
const inBrowser = { testTimeout: 300_000, hookTimeout: 180_000, expect: { poll } }

const overElectron = { LECTERN_E2E_HOST: 'electron' }

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
          exclude: ['test/e2e/**', 'test/electron/**', ...filesNotRunnableOn(testPlace())],
          setupFiles: ['test/windows/setup.ts'],
          // What a file does at once is waiting, not working.
          maxConcurrency: 20,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll },
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
      // The built app on the stand-in for Electron (test/electron-standin).
      { define, test: { name: 'electron', include: ['test/electron/**/*.test.ts'], ...inBrowser } },
      // Browser tests that run over it unchanged.
      {
        define,
        test: { name: 'electron-pages', include: overBoth, env: overElectron, ...inBrowser },
      },
      // All of them (`npm test -- --only electron-pages`).
      {
        define,
        test: {
          name: 'pages-over-electron',
          include: ['test/e2e/**/*.test.ts'],
          exclude: neverOverElectron,
          env: overElectron,
          fileParallelism: false,
          ...inBrowser,
        },
      },
      // One after another, when all the others are through.
      { define, test: { name: 'e2e-alone', include: alone, fileParallelism: false, ...inBrowser } },
    ],
  },
})
