/** Runs work for a key one at a time: later work waits for earlier work of the same key, whatever its result. */
type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Creates an independent queue; a key is removed once no work waits for it. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve()
    const mine = before.catch(() => undefined).then(work)
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}
