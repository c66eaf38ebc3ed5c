import type { LibraryPassage } from '../../../local-service/context.ts'
import type { SearchHit } from '../../../shared/model/library.ts'
import type { Store } from '../../store/types.ts'
import { createGivenTexts } from '../documents/send-to/texts.ts'
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
  /** The hit of the rarest keyword that the item has. */
  hit: SearchHit
  rarest: number
  weight: number
}

/** A text and where in it the match begins. */
interface Context {
  readonly text: string
  readonly offset: number
}

/**
 * Search for the assistants of this computer. The index wants every word of a query, a question shares only some with its
 * answer: so each keyword is searched alone, rare ones weigh more, and items are ranked by what they share.
 */
export function createLibrarySearch(
  store: Pick<Store, 'search' | 'items' | 'transcripts' | 'meetings' | 'documents'>,
): LibrarySearch {
  const texts = createGivenTexts(store)

  /** The page with the matching block, or the first page with text. */
  async function documentContext({ itemId, page, partId, offset }: SearchHit): Promise<Context> {
    const pages = page === undefined ? '' : String(page)
    for await (const { text } of texts.pages({ id: itemId, pages, pageMarks: false })) {
      const block = partId === null ? undefined : store.documents.block(partId)
      const start = block ? text.indexOf(block.content) : -1
      return { text, offset: start < 0 ? 0 : start + offset }
    }
    return { text: '', offset: 0 }
  }

  /** The lines from a few before the matching one on. */
  function meetingContext({ itemId, partId, offset }: SearchHit): Context {
    const lines = store.meetings.lines(itemId)
    const at = Math.max(
      0,
      lines.findIndex(({ id }) => id === partId),
    )
    let first = at
    for (let length = 0; first > 0 && length < before; first--)
      length += lines[first - 1]?.text.length ?? 0
    const join = (some: typeof lines): string => some.map(({ text }) => `${text}\n`).join('')
    const earlier = join(lines.slice(first, at))
    // Every line has a character at least, the line break.
    const later = join(lines.slice(at, at + after))
    return { text: earlier + later, offset: earlier.length + offset }
  }

  function transcriptContext({ itemId, partId, offset }: SearchHit): Context {
    const transcript =
      partId === null ? store.items.get(itemId)?.transcripts[0] : store.transcripts.get(partId)
    return { text: transcript?.text ?? '', offset: partId === null ? 0 : offset }
  }

  async function textAround(hit: SearchHit): Promise<string> {
    const { text, offset } =
      hit.kind === 'document'
        ? await documentContext(hit)
        : hit.kind === 'meeting'
          ? meetingContext(hit)
          : transcriptContext(hit)
    const from = Math.max(0, offset - before)
    return text.slice(from, from + before + after).trim() || hit.title
  }

  return async (query, limit) => {
    const found = new Map<string, Found>()
    for (const word of keywords(query)) {
      const { hits } = await store.search.search({ query: word, kinds, limit: hitsPerKeyword })
      const weight = 1 / Math.sqrt(hits.length)
      for (const hit of hits) {
        const known = found.get(hit.itemId)
        if (!known) {
          found.set(hit.itemId, { hit, rarest: weight, weight })
          continue
        }
        known.weight += weight
        if (weight > known.rarest) Object.assign(known, { hit, rarest: weight })
      }
    }
    const best = [...found.values()].toSorted((a, b) => b.weight - a.weight).slice(0, limit)
    return Promise.all(
      best.map(async ({ hit }) => ({
        itemId: hit.itemId,
        title: hit.title,
        text: await textAround(hit),
      })),
    )
  }
}
