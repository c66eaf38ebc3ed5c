import type { Log } from '../../deps.ts'

/** Milliseconds between two events of the same item: its numbers change with every response. */
const everyMs = 300

/** Reports changes of items to pages, rate-limited. */
export interface Announcer {
  /** Reports the item soon; several changes are combined. */
  changed(id: string): void
  /** Reports the current state of the item at once. */
  now(id: string): void
  close(): void
}

/**
 * Creates the announcer. Items that were deleted or cannot be read are skipped: a row that only pages need must neither cause the
 * loss of other data nor crash the app.
 */
export function createAnnouncer<T>(
  find: (id: string) => T | undefined,
  report: (item: T) => void,
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
      const item = find(id)
      if (item !== undefined) report(item)
    } catch (error) {
      log.warn('failed to report a change', { id, error })
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
      for (const cancelTimer of planned.values()) cancelTimer()
      planned.clear()
    },
  }
}
