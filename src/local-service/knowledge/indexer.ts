import { setTimeout as sleep } from 'node:timers/promises'
import type { StoredDocument } from './documents.ts'

/** Background indexer: processes one document after another, oldest first. */
export interface Indexer {
  /** Starts or continues with the running documents. */
  wake(): void
  /** Cancels the work on a document, which stays running until its state is changed. */
  cancel(documentId: string): void
  /** Cancels the current work and starts nothing more; running documents continue after the next start. */
  stop(): Promise<void>
}

export interface IndexerDeps {
  /** Throws if the database cannot be read. */
  next(): StoredDocument | undefined
  /** Reads, chunks and embeds a document and records the result. Throws if canceled. */
  work(document: StoredDocument, signal: AbortSignal): Promise<void>
  /** Marks a document as failed for an unknown reason. May throw: a full disk affects this write as well. */
  fail(document: StoredDocument, error: unknown): void
  /** Waits the given milliseconds; may reject when the signal aborts. Default: a timer. */
  wait?(ms: number, signal: AbortSignal): Promise<void>
}

/** Milliseconds to wait after the first database error; doubled for each further one in a row. */
const firstRest = 1000
const maxRestMs = 60_000

const timer = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false })

/**
 * Creates the indexer, which is idle until `wake` is called. If the database cannot be read or written, it retries with
 * increasing delays.
 */
export function createIndexer(deps: IndexerDeps): Indexer {
  const wait = deps.wait ?? timer
  const stopped = new AbortController()
  let current: { readonly id: string; readonly abort: AbortController } | undefined
  let running: Promise<void> | undefined
  let woken = false
  let troubles = 0

  const step = async (document: StoredDocument): Promise<void> => {
    const abort = new AbortController()
    current = { id: document.id, abort }
    try {
      await deps.work(document, abort.signal)
    } catch (error) {
      // Canceled: the document was deleted or restarted, or the service stops.
      if (!abort.signal.aborted) deps.fail(document, error)
    } finally {
      current = undefined
    }
  }

  /** Processes the next document. Returns false if there is none. Throws database errors. */
  const advance = async (): Promise<boolean> => {
    const document = deps.next()
    if (!document) return false
    await step(document)
    return true
  }

  const rest = async (): Promise<void> => {
    const ms = Math.min(maxRestMs, firstRest * 2 ** troubles)
    troubles += 1
    await wait(ms, stopped.signal).catch(() => undefined)
    // Yields to other waiting work.
    await new Promise((resolve) => setImmediate(resolve))
  }

  const loop = async (): Promise<void> => {
    while (woken && !stopped.signal.aborted) {
      try {
        woken = false
        woken = (await advance()) || woken
        troubles = 0
        // Requests received in the meantime are handled first.
        await new Promise((resolve) => setImmediate(resolve))
      } catch {
        // Nothing could be written, so the failure is not recorded; the document is still running and is processed again.
        woken = true
        await rest()
      }
    }
    running = undefined
  }

  return {
    wake() {
      woken = true
      if (!stopped.signal.aborted) running ??= loop()
    },
    cancel(documentId) {
      if (current?.id === documentId) current.abort.abort()
    },
    async stop() {
      stopped.abort()
      current?.abort.abort()
      await running
    },
  }
}
