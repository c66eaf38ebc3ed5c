import type { LibraryPassage } from '../../../local-service/context.ts'
import type { SearchHit } from '../../../shared/model/library.ts'
import type { Store } from '../../store/types.ts'
import { keywords } from './keywords.ts'

/** Finds passages of the Library that share words with a question, the best first. */
export type LibrarySearch = (query: string, limit: number) => Promise<readonly LibraryPassage[]>

/** Hits looked at for each keyword: common words find many, and the newest are as good as any. */
const hitsPerKeyword = 20

/** What was received; not what was asked and answered, or an answer would quote its own question. */
const kinds = ['recording', 'meeting', 'document'] as const

/** UTF-16 units of a passage before and after the first match. */
const before = 300
const after = 900

interface Found {
  readonly hit: SearchHit
  weight: number
}

/**
 * Search for the assistants of this computer. The index wants every word of a query, a question shares only some with its
 * answer: so each keyword is searched alone, rare ones weigh more, and items are ranked by what they share.
 */
export function createLibrarySearch(
  store: Pick<Store, 'search' | 'items' | 'transcripts'>,
): LibrarySearch {
  const textAround = (hit: SearchHit): string => {
    const whole =
      hit.partId === null
        ? (store.items.get(hit.itemId)?.transcripts[0]?.text ?? '')
        : (store.transcripts.get(hit.partId)?.text ?? '')
    const from = hit.partId === null ? 0 : Math.max(0, hit.offset - before)
    return whole.slice(from, from + before + after).trim() || hit.title
  }

  return async (query, limit) => {
    const found = new Map<string, Found>()
    for (const word of keywords(query)) {
      const { hits } = await store.search.search({ query: word, kinds, limit: hitsPerKeyword })
      for (const hit of hits) {
        const known = found.get(hit.itemId)
        const weight = 1 / Math.sqrt(hits.length)
        if (known) known.weight += weight
        else found.set(hit.itemId, { hit, weight })
      }
    }
    return [...found.values()]
      .toSorted((a, b) => b.weight - a.weight)
      .slice(0, limit)
      .map(({ hit }) => ({ itemId: hit.itemId, title: hit.title, text: textAround(hit) }))
  }
}
