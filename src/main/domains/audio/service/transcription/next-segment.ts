import type { OpenSegment } from '../../store/meetings-types.ts'

/** Minimum number of segments in a chain, to be worth a start without context. */
const shortest = 4

/**
 * Chooses the segment of a meeting to send next. Each is sent after the one before it on its channel, whose text is its
 * context. Only if nothing else is left for a free place, the longest chain is split, at a pause. `open` in chronological
 * order; `busy` are in flight, and `free` places are left.
 */
export function nextSegment(
  open: readonly OpenSegment[],
  busy: ReadonlySet<string>,
  free: number,
): string | undefined {
  const isReady = (segment: OpenSegment): boolean =>
    segment.state === 'pending' && segment.isDue && !busy.has(segment.id)
  const chains = chainsOf(open, busy)
  let first: OpenSegment | undefined
  for (const chain of chains) {
    const isBusy = chain[0] !== undefined && busy.has(chain[0].id)
    const ready = isBusy ? undefined : chain.find(isReady)
    if (ready && (first === undefined || ready.startMs < first.startMs)) first = ready
  }
  if (first) return first.id
  const longest = chains.reduce<readonly OpenSegment[]>(
    (long, chain) => (chain.length > long.length ? chain : long),
    [],
  )
  // Other chains are split, too.
  const share = 1 + Math.round((free * longest.length) / open.length)
  const parts = Math.min(Math.max(2, share), Math.floor(longest.length / shortest))
  return parts < 2 ? undefined : longest.slice(splitAt(longest, parts)).find(isReady)?.id
}

/** Adjacent segments of one channel, from one in flight up to the next. */
function chainsOf(
  open: readonly OpenSegment[],
  busy: ReadonlySet<string>,
): readonly (readonly OpenSegment[])[] {
  const chains: OpenSegment[][] = []
  const last = new Map<number, OpenSegment[]>()
  for (const segment of open) {
    const chain = last.get(segment.channel)
    if (chain && segment.isAfterOpen && !busy.has(segment.id)) chain.push(segment)
    else {
      const begun = [segment]
      last.set(segment.channel, begun)
      chains.push(begun)
    }
  }
  return chains
}

/**
 * Returns where the second of `parts` parts begins: at the longest pause near an even split, and at a cut in speech only if
 * there is no other option.
 */
function splitAt(chain: readonly OpenSegment[], parts: number): number {
  const even = chain.length / parts
  const middle = Math.round(even)
  const reach = Math.floor(even / 3)
  let best = Math.max(1, middle - reach)
  let longest = -Infinity
  for (let at = best; at <= Math.min(chain.length - 1, middle + reach); at++) {
    const [before, segment] = [chain[at - 1], chain[at]]
    if (!before || !segment) continue
    const pause = segment.forcedStart ? -1 : segment.startMs - before.endMs
    if (pause > longest) {
      longest = pause
      best = at
    }
  }
  return best
}
