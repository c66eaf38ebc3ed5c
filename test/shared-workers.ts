import { matchesGlob } from 'node:path'

/**
 * Unit tests of the page and of pure functions share workers and loaded modules: a new worker for each file costs more than its
 * tests. `test/global-state.ts` fails a file that leaves a global changed, and `test/architecture.test.ts` one that loads a module
 * whose state depends on earlier calls.
 */
export const sharedWorkerFiles = 'test/{renderer,shared}/**/*.test.{ts,mjs}'

/** Those with workers of their own, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'test/renderer/domains/audio/recorder/store.test.ts':
    'replaces a module, which other files may have loaded',
  'test/renderer/domains/knowledge/question.test.ts':
    'replaces a module, which other files may have loaded',
  'test/renderer/domains/documents/pdf.test.ts':
    'pdf.js and pdf-lib define globals of browsers, which other libraries look for',
}

export const ownWorkerFiles: readonly string[] = Object.keys(exceptions)

/** Whether a file of the repository runs in a worker that it shares. */
export const isSharedWorkerFile = (path: string): boolean =>
  matchesGlob(path, sharedWorkerFiles) && !ownWorkerFiles.includes(path)
