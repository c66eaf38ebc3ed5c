import type { DocumentNews } from '../../../shared/model/document.ts'
import type { Log } from '../../deps.ts'

/** Milliseconds between two tellings of the same document: its numbers change with every part. */
const everyMs = 300

/** Tells pages what became of a document, not oftener than needed. */
export interface Announcer {
  /** Soon; several changes are told at once. */
  changed(id: string): void
  /** At once, as it is now. */
  now(id: string): void
  close(): void
}

/** Builds the announcer. A document that is gone meanwhile is not told, nor is one that cannot be read: only pages wait for it. */
export function createAnnouncer(
  find: (id: string) => DocumentNews | undefined,
  report: (document: DocumentNews) => void,
  after: (ms: number, work: () => void) => () => void,
  log: Log,
): Announcer {
  const planned = new Map<string, () => void>()
  let closed = false
  const now = (id: string): void => {
    planned.get(id)?.()
    planned.delete(id)
    if (closed) return
    try {
      const document = find(id)
      if (document) report(document)
    } catch (error) {
      log.warn('a document could not be told', { id, error })
    }
  }
  return {
    now,
    changed(id) {
      if (closed || planned.has(id)) return
      planned.set(
        id,
        after(everyMs, () => now(id)),
      )
    },
    close() {
      closed = true
      for (const callOff of planned.values()) callOff()
      planned.clear()
    },
  }
}
