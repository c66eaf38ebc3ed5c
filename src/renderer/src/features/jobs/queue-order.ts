/** A version in the queue. */
export interface Queued {
  readonly id: string
  /** Lower goes first; the same number goes by age. */
  readonly priority: number
}

/** Priorities that the bridge takes, from minus this to this. */
const maxPriority = 1000

/**
 * What is to be changed so that one version goes first, or last, of those in the queue (in the order they are sent); nothing when it
 * does already. One change as a rule; where the numbers have run out, all are numbered anew.
 */
export function movesFor(
  queue: readonly Queued[],
  id: string,
  to: 'first' | 'last',
): readonly Queued[] {
  const moved = queue.find((one) => one.id === id)
  const others = queue.filter((one) => one.id !== id)
  const neighbour = to === 'first' ? queue[0] : queue.at(-1)
  if (!moved || others.length === 0 || neighbour?.id === id) return []
  const numbers = others.map(({ priority }) => priority)
  const priority = to === 'first' ? Math.min(...numbers) - 1 : Math.max(...numbers) + 1
  if (Math.abs(priority) <= maxPriority) return [{ id, priority }]
  const order = to === 'first' ? [moved, ...others] : [...others, moved]
  return order.flatMap((one, at) => (one.priority === at ? [] : [{ id: one.id, priority: at }]))
}
