import type { ItemKind, SearchHit } from '../../../shared/model/library.ts'
import type { Store } from '../../store/types.ts'
import { keywords } from '../local/keywords.ts'

/** Hits of the whole question, and of each of its words alone. */
const wholeHits = 50
const hitsPerWord = 20

/** What is looked for. */
export interface TermsQuery {
  readonly query: string
  readonly kinds: readonly ItemKind[] | null
  /** Unix milliseconds, the first inclusive, the second not. */
  readonly from: number | null
  readonly until: number | null
  readonly tag: string | null
}

/** A place of an item, as a key. */
const placeOf = ({ itemId, partId }: SearchHit): string => `${itemId} ${partId ?? ''}`

/**
 * Places that the search by words finds, best first: those that hold the whole question, then those that share words with it, rare ones
 * weighing more. A question is more words than its answer has, so that asking for all of them alone would find little.
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
