import type { Pause } from '../../shared/slicing/encoding.ts'

/** Milliseconds of work after which other calls of the service are answered first. */
const maxMs = 20

/** Makes it for one piece of long work on the event loop. */
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

/** All that a generator gives but its nulls, which only say that it is still at work. Throws when the signal aborts, or what `check` throws. */
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
