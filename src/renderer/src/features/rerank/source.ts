import type { RouteLocationRaw } from 'vue-router'
import type { TextSource } from '../../../../shared/model/rerank.ts'
import { viewOf } from '../library/item-path.ts'

/** Where a text out of the Library opens: at its block, line, transcript or message, with the words that found it. */
export function sourceLocation(source: TextSource, query: string): RouteLocationRaw {
  const place = { name: viewOf(source.kind), params: { id: source.itemId } }
  if (source.partId === null) return place
  const part = {
    document: 'block',
    conversation: 'at',
    meeting: 'line',
    recording: 'part',
  } as const
  const name = Object.hasOwn(part, source.kind) ? part[source.kind as keyof typeof part] : 'part'
  return { ...place, query: { q: query, [name]: source.partId } }
}
