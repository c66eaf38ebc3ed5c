import type { RouteLocationRaw } from 'vue-router'
import type { SearchHit } from '../../../../shared/model/library.ts'

/** Where a hit opens: the item, with the query to highlight, the transcript it is in and the place of the match. */
export function hitLocation(hit: SearchHit, query: string): RouteLocationRaw {
  return {
    name: 'recordings',
    params: { id: hit.itemId },
    query: {
      q: query,
      ...(hit.partId !== null && { part: hit.partId }),
      ...(hit.field === 'transcript' && { at: String(hit.offset) }),
    },
  }
}
