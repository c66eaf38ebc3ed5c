/** One of two lists that are merged: keys, best first, each once. */
export type RankedKeys = readonly string[]

/** A key with its places in both lists, from 1; null where a list has it not. */
export interface FusedKey {
  readonly key: string
  readonly meaning: number | null
  readonly words: number | null
  readonly score: number
}

/** What a place counts from: a first place of one list and a second of the other differ little (Cormack et al. 2009 take 60). */
const flatness = 60

/**
 * Merges two lists by reciprocal rank fusion: a key counts 1 / (60 + place) for each list it is in, so that scores which do not compare need not. Best first;
 * of equal ones the better place by meaning goes first, then by words.
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
