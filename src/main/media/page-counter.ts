import type { OpenProcess } from '../../system/own-process/program.ts'
import { createWorkerClient } from '../workers/client.ts'

/** Counts the pages of PDFs beside the main thread. */
export interface PageCounter {
  /** Null when they cannot be told: damaged, locked by a password, or not told in time. */
  count(path: string): Promise<number | null>
  close(): Promise<void>
}

/** Longest that one file may take, in milliseconds: the reader's own patience, and loading it. */
const timeoutMs = 15_000

/** The reader holds some fifty megabytes: it ends when nobody asked for this long. */
const idleMs = 30_000

/** Bytes by which its process may grow: only what tells the pages is unpacked. */
const maxMemory = 400_000_000

/** Makes the counter; `url` is the program `workers/pdf-pages.ts`, which starts with the first file, in a process of its own. */
export function createPageCounter(url: URL, openProcess?: OpenProcess): PageCounter {
  const worker = createWorkerClient<string, number | null>({
    url,
    name: 'PDF pages',
    timeoutMs,
    openProcess,
    ...(openProcess && { maxMemory }),
  })
  let waiting = 0
  let rest: NodeJS.Timeout | undefined
  return {
    async count(path) {
      clearTimeout(rest)
      waiting += 1
      try {
        return await worker.call(path)
      } catch {
        return null
      } finally {
        waiting -= 1
        if (waiting === 0) rest = setTimeout(() => void worker.stop(), idleMs).unref()
      }
    },
    async close() {
      clearTimeout(rest)
      await worker.close()
    },
  }
}
