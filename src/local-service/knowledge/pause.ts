import type { Pause } from '../../shared/knowledge/slicing/encoding.ts'

/** Milliseconds of work after which other requests are handled first. */
const maxMs = 20

/** Creates a pause for one long computation on the event loop. */
export function createPause(now: () => number = () => performance.now()): Pause {
  let last = now()
  return () => {
    if (now() - last < maxMs) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        last = now()
        resolve()
      }),
    )
  }
}

/**
 * Collects the values of a generator except nulls, which only mark progress. Throws if the signal aborts, and rethrows
 * errors of `check`.
 */
export async function collected<T>(
  source: Iterable<T | null>,
  signal: AbortSignal,
  check: (one: T, count: number) => void = () => undefined,
): Promise<readonly T[]> {
  const pause = createPause()
  const all: T[] = []
  for (const one of source) {
    const rest = pause()
    if (rest) {
      await rest
      signal.throwIfAborted()
    }
    if (one === null) continue
    all.push(one)
    check(one, all.length)
  }
  return all
}
