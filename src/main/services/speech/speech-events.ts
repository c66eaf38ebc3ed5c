/** Reports the state of whole narrations at most a few times a second, because segments change more often. */
export interface SpeechEvents {
  soon(id: string): void
  /** Marks it as reported just now. */
  done(id: string): void
  close(): void
}

/** Milliseconds within which changes are reported together. */
const gatherMs = 60

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
