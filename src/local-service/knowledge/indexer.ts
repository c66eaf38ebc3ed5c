import { setTimeout as sleep } from 'node:timers/promises'
import type { StoredDocument } from './documents.ts'

/** The work in the background: one document after another, the oldest first. */
export interface Indexer {
  /** Begins, or goes on, with what is running. */
  wake(): void
  /** Breaks off the work on a document; it stays running until somebody says otherwise. */
  cancel(documentId: string): void
  /** Breaks off and begins nothing more; what was running goes on with the next start. */
  stop(): Promise<void>
}

/** What the indexer needs. */
export interface IndexerDeps {
  /** May throw: the database cannot be read. */
  next(): StoredDocument | undefined
  /** Reads, cuts and embeds a document and says how it ended. Throws when it was broken off. */
  work(document: StoredDocument, signal: AbortSignal): Promise<void>
  /** Says that a document failed for a reason of no known kind. May throw: a full disk meets this writing as well. */
  fail(document: StoredDocument, error: unknown): void
  /** Waits so many milliseconds; may reject when the signal aborts. Absent: a timer. */
  wait?(ms: number, signal: AbortSignal): Promise<void>
}

/** Milliseconds of rest after the first trouble with the database; each further one in a row doubles it. */
const firstRest = 1000
const maxRestMs = 60_000

const timer = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false })

/** Makes the indexer; it rests until it is woken. A database that cannot be read or written is tried again, ever more seldom. */
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
      // Broken off: deleted, begun anew, or the service stops.
      if (!abort.signal.aborted) deps.fail(document, error)
    } finally {
      current = undefined
    }
  }

  /** Works on the next document. False when there is none. Throws what the database throws. */
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
    // Whatever waiting is, others get their turn.
    await new Promise((resolve) => setImmediate(resolve))
  }

  const loop = async (): Promise<void> => {
    while (woken && !stopped.signal.aborted) {
      try {
        woken = false
        woken = (await advance()) || woken
        troubles = 0
        // Calls that came meanwhile are answered first.
        await new Promise((resolve) => setImmediate(resolve))
      } catch {
        // Nothing could be written down, so nobody can be told; the document is still running and is taken up again.
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
