import type { ItemKind, SearchHit } from '../../../shared/model/library.ts'
import type { Store } from '../../store/types.ts'
import { keywords } from '../local/keywords.ts'

/** Maximum hits of the whole question, and of each of its words alone. */
const wholeHits = 50
const hitsPerWord = 20

/** Search query and its time range. */
export interface TermsQuery {
  readonly query: string
  readonly kinds: readonly ItemKind[] | null
  /** Unix milliseconds; `from` is inclusive, `until` is exclusive. */
  readonly from: number | null
  readonly until: number | null
  readonly tag: string | null
}

/** Returns a key for a location within an item. */
const placeOf = ({ itemId, partId }: SearchHit): string => `${itemId} ${partId ?? ''}`

/**
 * Returns the locations found by keyword search, best first: those that contain the whole question, then those that
 * share words with it, with rare words weighted higher. A question has more words than its answer, so requiring all of
 * them would find little.
 */
export async function findTerms(
  store: Pick<Store, 'search' | 'entries'>,
  { query, kinds, from, until, tag }: TermsQuery,
): Promise<readonly SearchHit[]> {
  const search = async (words: string, limit: number): Promise<readonly SearchHit[]> => {
    const { hits } = await store.search.search({
      query: words.slice(0, 500),
      limit,
      ...(kinds && { kinds }),
    })
    if (from === null && until === null && tag === null) return hits
    const fits = store.entries.among([...new Set(hits.map(({ itemId }) => itemId))], {
      ...(from !== null && { from }),
      ...(until !== null && { to: until }),
      ...(tag !== null && { tag }),
    })
    return hits.filter(({ itemId }) => fits.has(itemId))
  }
  const found = new Map<string, { readonly hit: SearchHit; weight: number }>()
  for (const hit of await search(query, wholeHits)) found.set(placeOf(hit), { hit, weight: 100 })
  for (const word of keywords(query)) {
    const hits = await search(word, hitsPerWord)
    for (const hit of hits) {
      const known = found.get(placeOf(hit))
      const weight = 1 / Math.sqrt(hits.length)
      if (known) known.weight += weight
      else found.set(placeOf(hit), { hit, weight })
    }
  }
  return [...found.values()].toSorted((a, b) => b.weight - a.weight).map(({ hit }) => hit)
}
