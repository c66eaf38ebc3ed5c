import type { RouteLocationRaw } from 'vue-router'
import type { SearchHit } from '../../../../../shared/model/library.ts'
import type { TextSource } from '../../../../../shared/model/rerank.ts'
import { hitLocation } from '../../library/index.ts'

/** Field of a text in an item of a kind, as in search results. */
const fields: Readonly<Partial<Record<TextSource['kind'], SearchHit['field']>>> = {
  document: 'block',
  conversation: 'message',
  speech: 'piece',
}

/** Returns where a text from the Library opens: like a search result, with the words that found it. */
export function sourceLocation(source: TextSource, query: string): RouteLocationRaw {
  const { itemId, kind, title, partId } = source
  const field = partId === null ? 'title' : (fields[kind] ?? 'transcript')
  const hit = {
    itemId,
    kind,
    title,
    field,
    partId,
    offset: 0,
    snippet: '',
    ranges: [],
    createdAt: 0,
  }
  return hitLocation(hit, query)
}
