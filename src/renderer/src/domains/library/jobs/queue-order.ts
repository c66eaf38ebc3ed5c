/** A version in the queue. */
export interface Queued {
  readonly id: string
  /** Lower goes first; equal numbers go by age. */
  readonly priority: number
}

/** Maximum absolute priority that the bridge accepts. */
const maxPriority = 1000

/**
 * Returns the changes that make one version first or last in the queue (in the order they are sent); none if it already is.
 * Usually one change; if the numbers are exhausted, all are renumbered.
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
