import type { RouteLocationRaw } from 'vue-router'
import type { SearchHit } from '../../../../../shared/model/library.ts'
import { viewOf } from '../entries/item-path.ts'

/**
 * Returns where a search result opens: the item, and for a transcript the query to highlight, its version and the position of the
 * match; in a meeting the query and the line, in a document the query and the block, in a conversation the query and the message,
 * in a speech the query and the segment, in a test set the question. A match in a title opens without match navigation.
 */
export function hitLocation(hit: SearchHit, query: string): RouteLocationRaw {
  if (hit.kind === 'voice') return { name: 'voices', params: { part: 'clone', id: hit.itemId } }
  if (hit.kind === 'retrieval')
    return {
      name: 'knowledge',
      params: { part: 'retrieval', id: hit.itemId },
      ...(hit.field !== 'title' && hit.partId !== null && { query: { at: hit.partId } }),
    }
  const params = { id: hit.itemId, ...(hit.kind === 'speech' && { part: 'speak' }) }
  const place = { name: viewOf(hit.kind), params }
  if (hit.field === 'title') return place
  if (hit.kind === 'document')
    return { ...place, query: { q: query, ...(hit.partId !== null && { block: hit.partId }) } }
  if (hit.kind === 'conversation' || hit.kind === 'speech')
    return { ...place, query: { q: query, ...(hit.partId !== null && { at: hit.partId }) } }
  if (hit.kind === 'meeting')
    return { ...place, query: { q: query, ...(hit.partId !== null && { line: hit.partId }) } }
  return {
    ...place,
    query: {
      q: query,
      ...(hit.partId !== null && { part: hit.partId }),
      at: String(hit.offset),
    },
  }
}
