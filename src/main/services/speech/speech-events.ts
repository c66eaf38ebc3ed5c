/** Tells how whole speeches stand, a few times a second at most: pieces change many times in that. */
export interface SpeechEvents {
  soon(id: string): void
  /** It was told just now. */
  done(id: string): void
  close(): void
}

/** Milliseconds within which changes are told as one. */
const gatherMs = 60

/** Builds it over `tell`. */
export function createSpeechEvents(
  after: (ms: number, work: () => void) => () => void,
  notify: (id: string) => unknown,
): SpeechEvents {
  const due = new Set<string>()
  let cancel: (() => void) | null = null
  let closed = false
  const all = (): void => {
    cancel = null
    for (const id of due) notify(id)
    due.clear()
  }
  return {
    soon(id) {
      if (closed) return
      due.add(id)
      cancel ??= after(gatherMs, all)
    },
    done: (id) => void due.delete(id),
    close() {
      closed = true
      cancel?.()
      due.clear()
    },
  }
}
