import type { DocumentNews } from '../../../../shared/model/document.ts'
import type { Log } from '../../../deps.ts'

/** Milliseconds between two events of the same document: its numbers change with every part. */
const everyMs = 300

/** Emits document changes to pages, rate-limited. */
export interface Announcer {
  /** Emits the document soon; several changes are merged. */
  changed(id: string): void
  /** Emits the current state of the document at once. */
  now(id: string): void
  close(): void
}

/** Creates the announcer. Skips a document that was deleted or cannot be read: only pages wait for the event. */
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
      log.warn('failed to report a document', { id, error })
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
