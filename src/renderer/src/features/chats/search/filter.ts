import type { RequestOf } from '../../../../../shared/bridge/routes.ts'
import { spanFrom, type SearchSpan } from './when.ts'

/** What a search over all conversations is narrowed to; empty means any. */
export interface MessageFilter {
  /** `agent` or the id of an assistant. */
  readonly who: string
  /** Questions are the reader's own, answers are theirs. */
  readonly role: '' | 'user' | 'assistant'
  readonly span: SearchSpan
  /** Best matches first instead of the newest. */
  readonly ranked: boolean
}

/** Everything, newest first. */
export const anyMessage: MessageFilter = { who: '', role: '', span: 'any', ranked: false }

/** The request a filter makes of a query. */
export function messageQuery(
  query: string,
  { who, role, span, ranked }: MessageFilter,
  { now, limit }: { readonly now: number; readonly limit: number },
): RequestOf<'chats.search'> {
  const from = spanFrom(span, now)
  return {
    query,
    ranked,
    limit,
    ...(who !== '' && { who }),
    ...(role !== '' && { role }),
    ...(from !== undefined && { from }),
  }
}
