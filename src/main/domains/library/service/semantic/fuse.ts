/** One of two lists to merge: distinct keys, best first. */
type RankedKeys = readonly string[]

/** Key with its ranks in both lists, from 1; null where a list does not contain it. */
interface FusedKey {
  readonly key: string
  readonly meaning: number | null
  readonly words: number | null
  readonly score: number
}

/**
 * Constant added to each rank, so that rank 1 in one list and rank 2 in the other differ little (60 in Cormack et al.
 * 2009).
 */
const flatness = 60

/**
 * Merges two lists by reciprocal rank fusion: a key scores 1 / (60 + rank) for each list that contains it, so that the
 * scores need not be comparable. Best first; ties are ordered by the semantic rank, then by the keyword rank.
 */
export function fuseRanks(meaning: RankedKeys, words: RankedKeys): FusedKey[] {
  const places = new Map<string, { meaning: number | null; words: number | null }>()
  for (const [at, key] of meaning.entries()) places.set(key, { meaning: at + 1, words: null })
  for (const [at, key] of words.entries())
    places.set(key, { meaning: places.get(key)?.meaning ?? null, words: at + 1 })
  const share = (place: number | null): number => (place === null ? 0 : 1 / (flatness + place))
  return Array.from(places, ([key, place]) => ({
    key,
    ...place,
    score: share(place.meaning) + share(place.words),
  })).toSorted(
    (a, b) =>
      b.score - a.score ||
      (a.meaning ?? Infinity) - (b.meaning ?? Infinity) ||
      (a.words ?? Infinity) - (b.words ?? Infinity),
  )
}
