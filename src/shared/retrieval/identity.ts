import type { HitIdentity } from '../model/retrieval.ts'

/** A passage's words without white space: what stays the same when it is cut and embedded again. */
export const bareWords = (text: string): string => text.normalize('NFC').replaceAll(/\s+/gu, '')

/**
 * For each of `wanted`, the place of the one among `known` that it is: by its id at the service, else by its words. Each of `known` is
 * given once, to the first in order; null where there is none left.
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

/** Whether both are the same passage. */
export const isSamePassage = (a: HitIdentity, b: HitIdentity): boolean =>
  (a.sliceId !== '' && a.sliceId === b.sliceId) || (a.textKey !== '' && a.textKey === b.textKey)
