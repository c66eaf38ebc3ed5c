import type { SearchHit } from '../../../../shared/model/library.ts'
import type { LibraryPassage } from '../../../../local-service/protocol.ts'
import type { Store } from '../../../library-database/store.ts'
import { createGivenTexts } from '../../documents/index.ts'
import { keywords } from './keywords.ts'
import type { LibrarySearch } from '../../settings/index.ts'

/** Maximum results considered per keyword: common words have many, and the newest are as good as any. */
const hitsPerKeyword = 20

/** Received items only, not questions and answers, since an answer would otherwise quote its own question. */
const kinds = ['meeting', 'document'] as const

/** UTF-16 units of a passage before and after the first match. */
const before = 300
const after = 900

interface Found {
  /** The result of the rarest keyword in the item. */
  hit: SearchHit
  rarest: number
  weight: number
}

/** A text and the offset of the match in it. */
interface Context {
  readonly text: string
  readonly offset: number
  /** Page of a document. */
  readonly page?: number
  /** Seconds of each line of a meeting. */
  readonly times?: readonly number[]
}

/**
 * Search for the on-device assistants. The index requires every word of a query, but a question shares only some with its
 * answer: so each keyword is searched alone, rare ones weigh more, and items are ranked by the keywords they contain.
 */
export function createLibrarySearch(
  store: Pick<Store, 'search' | 'items' | 'meetings' | 'documents'>,
): LibrarySearch {
  const texts = createGivenTexts(store)

  /** The page with the matching block, or the first page with text. */
  async function documentContext({ itemId, page, partId, offset }: SearchHit): Promise<Context> {
    const pages = page === undefined ? '' : String(page)
    const request = { id: itemId, pages, pageMarks: false }
    for await (const { page: on, text } of texts.pages(request)) {
      const block = partId === null ? undefined : store.documents.block(partId)
      const start = block ? text.indexOf(block.content) : -1
      return { text, offset: start < 0 ? 0 : start + offset, page: on }
    }
    return { text: '', offset: 0 }
  }

  /** The transcript from a few lines before the matching one. */
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
    // Every line has at least one character, the line break.
    const later = join(lines.slice(at, at + after))
    const text = earlier + later
    const times = lines
      .slice(first, at + after)
      .flatMap((line) => line.text.split('\n').map(() => Math.floor(line.startMs / 1000)))
    // A match in an earlier version of the line is not in this text.
    return { text, offset: Math.min(earlier.length + offset, text.length), times }
  }

  async function passageOf(hit: SearchHit): Promise<LibraryPassage> {
    const { text, offset, page, times } =
      hit.kind === 'document' ? await documentContext(hit) : meetingContext(hit)
    const from = Math.max(0, offset - before)
    const part = text.slice(from, from + before + after)
    const start = from + part.length - part.trimStart().length
    return {
      itemId: hit.itemId,
      title: hit.title,
      text: part.trim() || hit.title,
      ...(page !== undefined && { page }),
      ...(times && { times: times.slice(text.slice(0, start).split('\n').length - 1) }),
    }
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
    return Promise.all(best.map(({ hit }) => passageOf(hit)))
  }
}
