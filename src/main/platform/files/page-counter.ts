import type { OpenProcess } from '../../../system/own-process/program.ts'
import { createWorkerClient } from '../workers/client.ts'

/** Counts the pages of PDFs outside of the main thread. */
interface PageCounter {
  /** Returns null if they cannot be counted: damaged, locked by a password, or timed out. */
  count(path: string): Promise<number | null>
  close(): Promise<void>
}

/** Maximum time per file, in milliseconds: the reader's own limit plus loading it. */
const timeoutMs = 15_000

/** Milliseconds of idle time after which the reader ends, since it occupies about 50 MB. */
const idleMs = 30_000

/** Bytes by which its process may grow: only the parts with the page count are unpacked. */
const maxMemory = 400_000_000

/**
 * Creates the counter; `url` is the program `workers/pdf-pages.ts`, which starts with the first file in its own process.
 */
export function createPageCounter(url: URL, openProcess?: OpenProcess): PageCounter {
  const worker = createWorkerClient<string, number | null>({
    url,
    name: 'PDF pages',
    timeoutMs,
    idleMs,
    openProcess,
    ...(openProcess && { maxMemory }),
  })
  return {
    count: (path) => worker.call(path).catch(() => null),
    close: () => worker.close(),
  }
}
