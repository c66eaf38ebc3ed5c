import type { HitIdentity } from '../../model/retrieval.ts'

/** Returns a slice's text without white space: this stays the same when it is chunked and embedded again. */
export const bareWords = (text: string): string => text.normalize('NFC').replaceAll(/\s+/gu, '')

/**
 * Returns, for each of `wanted`, the index of the same slice in `known`: by its ID at the provider, otherwise by its text.
 * Each of `known` is matched once, to the first in order; null when none is left.
 */
export function matchIdentities(
  wanted: readonly HitIdentity[],
  known: readonly HitIdentity[],
): readonly (number | null)[] {
  const free = new Set(known.keys())
  const matches = wanted.map((): number | null => null)
  const give = (nameOf: (one: HitIdentity) => string): void => {
    const places = new Map<string, number[]>()
    for (const [at, one] of known.entries()) {
      const name = nameOf(one)
      if (name === '' || !free.has(at)) continue
      const same = places.get(name)
      if (same) same.push(at)
      else places.set(name, [at])
    }
    for (const [at, one] of wanted.entries()) {
      if (matches[at] !== null) continue
      const place = places.get(nameOf(one))?.shift()
      if (place === undefined) continue
      matches[at] = place
      free.delete(place)
    }
  }
  give(({ sliceId }) => sliceId)
  give(({ textKey }) => textKey)
  return matches
}

/** Returns whether both are the same slice. */
export const isSamePassage = (a: HitIdentity, b: HitIdentity): boolean =>
  (a.sliceId !== '' && a.sliceId === b.sliceId) || (a.textKey !== '' && a.textKey === b.textKey)
