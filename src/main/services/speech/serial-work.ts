/** Does work once what was begun of the same thing before is over. */
export type Turns = <T>(id: string, work: () => Promise<T>) => Promise<T>

/**
 * Lets changes of the same thing wait for each other: what goes in several steps must not meet another change between them. A change
 * that fails fails alone.
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
