/** Timestamps of the start, in milliseconds since the process began. */
export interface Marks {
  /** Records a timestamp; only the first one of a name counts. */
  mark(name: string): void
  /** Returns all timestamps so far, in the order they were recorded. */
  all(): Readonly<Record<string, number>>
}

/** Collects the timestamps of a start for one line in the log. */
export function createMarks(now: () => number = () => performance.now()): Marks {
  const moments = new Map<string, number>()
  return {
    mark(name) {
      if (!moments.has(name)) moments.set(name, Math.round(now()))
    },
    all: () => Object.fromEntries(moments),
  }
}
