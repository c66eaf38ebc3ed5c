import type { RouteLocationRaw } from 'vue-router'
import type { SearchHit } from '../../../../../shared/model/library.ts'
import { viewOf } from '../entries/item-path.ts'

/** Returns the identity of the place of a result. */
export const placeOf = ({ itemId, partId }: Pick<SearchHit, 'itemId' | 'partId'>): string =>
  `${itemId} ${partId ?? ''}`

/**
 * Returns where a search result opens: the item, and in a meeting the query and the line, in a document the query and the block, in a conversation the query and the message,
 * in a speech the query and the segment, in a test set the question. A match in a title opens without match navigation.
 */
export function hitLocation(hit: SearchHit, query: string): RouteLocationRaw {
  const { name, part } = viewOf(hit.kind)
  const place = { name, params: { id: hit.itemId, ...(part !== '' && { part }) } }
  if (hit.field === 'title' || hit.kind === 'voice') return place
  const at = hit.partId !== null && { at: hit.partId }
  if (hit.kind === 'retrieval') return at ? { ...place, query: at } : place
  if (hit.kind === 'document')
    return { ...place, query: { q: query, ...(hit.partId !== null && { block: hit.partId }) } }
  if (hit.kind === 'conversation' || hit.kind === 'speech')
    return { ...place, query: { q: query, ...at } }
  return { ...place, query: { q: query, ...(hit.partId !== null && { line: hit.partId }) } }
}
