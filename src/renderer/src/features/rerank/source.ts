import type { RouteLocationRaw } from 'vue-router'
import type { SearchHit } from '../../../../shared/model/library.ts'
import type { TextSource } from '../../../../shared/model/rerank.ts'
import { hitLocation } from '../search/link.ts'

/** Where words stand in an item of a kind, as hits of the search say it. */
const fields: Readonly<Partial<Record<TextSource['kind'], SearchHit['field']>>> = {
  document: 'block',
  conversation: 'message',
  speech: 'piece',
}

/** Where a text out of the Library opens: as a hit of the search opens, with the words that found it. */
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
