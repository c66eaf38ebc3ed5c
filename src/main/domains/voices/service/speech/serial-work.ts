/** Runs work after the earlier work with the same ID has finished. */
export type Turns = <T>(id: string, work: () => Promise<T>) => Promise<T>

/**
 * Serializes changes with the same ID: a change in several steps must not be interleaved with another. A failing change
 * does not affect the others.
 */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return (id, work) => {
    const turn = (last.get(id) ?? Promise.resolve()).then(work)
    const settled = turn.then(
      () => undefined,
      () => undefined,
    )
    last.set(id, settled)
    void settled.then(() => last.get(id) === settled && last.delete(id))
    return turn
  }
}
