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
  next(): StoredDocument | undefined
  /** Reads, cuts and embeds a document and says how it ended. Throws when it was broken off. */
  work(document: StoredDocument, signal: AbortSignal): Promise<void>
  /** Says that a document failed for a reason of no known kind. */
  fail(document: StoredDocument, error: unknown): void
}

/** Makes the indexer; it rests until it is woken. */
export function createIndexer(deps: IndexerDeps): Indexer {
  let current: { readonly id: string; readonly abort: AbortController } | undefined
  let running: Promise<void> | undefined
  let stopped = false

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

  const loop = async (): Promise<void> => {
    for (;;) {
      const document = stopped ? undefined : deps.next()
      if (!document) return
      await step(document)
      // Calls that came meanwhile are answered first.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  const wake = (): void => {
    if (stopped || running) return
    running = loop().finally(() => {
      running = undefined
      if (!stopped && deps.next()) wake()
    })
  }

  return {
    wake,
    cancel(documentId) {
      if (current?.id === documentId) current.abort.abort()
    },
    async stop() {
      stopped = true
      current?.abort.abort()
      await running
    },
  }
}
