/** Runs work on one thing at a time: what is asked later for the same key waits for what was asked before, however that ended. */
export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Turns of their own; a key is forgotten when nobody waits for it any more. */
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
