import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import vue from '@vitejs/plugin-vue'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { LongestFirst } from './test/longest-first.ts'
import { filesReplacingModules } from './test/replaced-modules.ts'
import { ownWorkerFiles, sharedWorkerFiles } from './test/shared-workers.ts'
import { filesNotRunnableOn, testPlace } from './test/windows/not-runnable.mjs'

/** Compile-time constants of the build for the sources. */
const define = { __LECTERN_VERSION__: JSON.stringify('0.0.0-test') }

// Threads and programs of the tests start repeatedly from source: the compile cache speeds up later starts.
process.env['NODE_COMPILE_CACHE'] ??= resolve('node_modules/.cache/lectern/compiled')

const inBrowserFiles = (...names: readonly string[]): string[] =>
  names.map((name) => `test/e2e/${name}.test.ts`)

/** Browser tests that record, play, kill or press keys in real time: other tests must not affect their results. */
const alone = inBrowserFiles(
  'documents-find',
  'meeting',
  'recording',
  'transcription-crash',
  'voice-clone',
)

/**
 * Browser tests that every run repeats with the built Electron app: saving, a second window, incoming files, a policy.
 */
const overBoth = inBrowserFiles(
  'bench',
  'chats-list',
  'chats-outside',
  'documents-find',
  'hostile',
  'library-archive',
)

/** Browser tests that do not apply to the built Electron app. */
const neverOverElectron = [
  // The host's responses are replaced in its web socket, which a window does not have.
  ...inBrowserFiles('access'),
  // Parts of the page only, without a host.
  ...inBrowserFiles(
    'answer-hostile',
    'answer-takeouts',
    'chat-sources',
    'markdown-hostile',
    'markdown-pane',
  ),
  // Entry through a browser tab: launch file, cookie, key.
  ...inBrowserFiles('entry', 'network-settings'),
  // Downloads and file dialogs of a browser.
  ...inBrowserFiles('keyboard'),
  // A separate host in the test's process, or a page with a miniature main.
  ...inBrowserFiles('saving', 'transcription-crash', 'updates'),
]

/**
 * Unit tests and browser tests run at the same time: they compute for less than half of their time, and wait for timers, servers,
 * pages and programs for the rest.
 */
const mixedWorkers = Math.min(4, 2 * availableParallelism())

/** Limits for hanging tests, not for speed: a busy machine stays far below them. */
const poll = { timeout: 90_000, interval: 20 }
/** One of them records for a minute. */
const inBrowser = { testTimeout: 300_000, hookTimeout: 180_000, expect: { poll } }

/** Unit tests that Vite loads: they replace modules, or load parts of the page. */
const viteFiles = [...filesReplacingModules(), ...ownWorkerFiles]

const otherFiles = ['test/e2e/**', 'test/electron/**', ...filesNotRunnableOn(testPlace())]

const unitTests = (
  name: string,
  options: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration => ({
  define,
  plugins: [vue()],
  test: {
    name,
    setupFiles: ['test/windows/setup.ts'],
    maxWorkers: mixedWorkers,
    // Concurrent work within a file is waiting, not computing.
    maxConcurrency: 20,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll },
    ...options,
  },
})

const overElectron = { LECTERN_E2E_HOST: 'electron' }

export default defineConfig({
  define,
  test: {
    allowOnly: false,
    // V8 of Node 24 frees a wasm wrapper that another thread's module still holds (Runtime_TierUpWasmToJSWrapper, a crash of the
    // whole process about once in thirty files that start and end many workers): without generic wrappers there is none to
    // free.
    execArgv: ['--no-wasm-generic-wrapper'],
    // The stand-in for Electron keeps a browser and several processes busy: more of them than cores only slow each other down.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: LongestFirst },
    projects: [
      unitTests('unit', {
        include: ['test/*.test.{ts,mjs}', 'test/!(renderer|shared)/**/*.test.{ts,mjs}'],
        exclude: [...otherFiles, ...viteFiles],
        // Node loads the sources itself: with its compile cache, that takes less time than through Vite.
        experimental: { viteModuleRunner: false, nodeLoader: false },
      }),
      unitTests('unit-vite', { include: viteFiles, exclude: otherFiles }),
      unitTests('unit-shared-workers', {
        include: [sharedWorkerFiles],
        exclude: [...otherFiles, ...viteFiles],
        isolate: false,
        setupFiles: ['test/windows/setup.ts', 'test/global-state.ts'],
      }),
      {
        define,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: alone,
          maxWorkers: mixedWorkers,
          ...inBrowser,
        },
      },
      // The built app with the Electron stand-in (test/electron-standin).
      { define, test: { name: 'electron', include: ['test/electron/**/*.test.ts'], ...inBrowser } },
      // Browser tests that run with it unchanged.
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
      // One after another, when all others are done.
      { define, test: { name: 'e2e-alone', include: alone, fileParallelism: false, ...inBrowser } },
    ],
  },
})
