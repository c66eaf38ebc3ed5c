/** Moments of the start, in milliseconds since the process began. */
export interface Marks {
  /** Notes a moment; the first time counts. */
  mark(name: string): void
  /** All moments so far, in the order they came. */
  all(): Readonly<Record<string, number>>
}

/** Collects the moments of a start, for one line in the log. */
export function createMarks(now: () => number = () => performance.now()): Marks {
  const moments = new Map<string, number>()
  return {
    mark(name) {
      if (!moments.has(name)) moments.set(name, Math.round(now()))
    },
    all: () => Object.fromEntries(moments),
  }
}
