import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import { spanFrom, type SearchSpan } from './when.ts'

/** Filters of a search in all chats; empty means any. */
export interface MessageFilter {
  /** `agent` or the ID of an assistant. */
  readonly who: string
  /** Role of the message: questions are the user's, answers the assistant's. */
  readonly role: '' | 'user' | 'assistant'
  readonly span: SearchSpan
  /** Sorts by relevance instead of newest first. */
  readonly ranked: boolean
}

/** Everything, newest first. */
export const anyMessage: MessageFilter = { who: '', role: '', span: 'any', ranked: false }

/** Creates the request for a query and its filters. */
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
