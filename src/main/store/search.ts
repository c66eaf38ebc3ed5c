import type { SearchReply } from '../../shared/model/library.ts'
import type { EntrySearchReply } from '../../shared/model/library-entry.ts'
import { AppError } from '../errors.ts'
import { createWorkerClient, type WorkerClient } from '../workers/client.ts'
import type { SearchWorkerData } from '../workers/search.ts'
import type { ChatStore } from './chats-types.ts'
import type { FindReply } from './search-find.ts'
import type { MessageSearchReply } from './search-messages.ts'
import type { SearchAnswer, SearchRequest } from './search-request.ts'
import type { SearchIndex } from './types.ts'

/** Milliseconds after which a search is given up and its worker started anew. */
const timeoutMs = 15_000

/** Search with its worker's life. */
export interface SearchService extends SearchIndex {
  /** The messages of all conversations. */
  readonly messages: ChatStore['search']
  /** One conversation. */
  readonly find: ChatStore['find']
  /** Says which file to search from now on; null for none (nothing is found), an error while there is one but not to be read. */
  use(file: SearchWorkerData | AppError | null): Promise<void>
  /** Starts the worker before it is needed. */
  warm(): Promise<void>
  close(): Promise<void>
}

/**
 * Search beside the main thread. A worker that died is started again by the next search; the one it took down
 * rejects with ENGINE_UNAVAILABLE. `damage` hears of a damaged file, which the reader may be the first to meet.
 */
export function searchService(url: URL, damage: (error: unknown) => void): SearchService {
  let client: WorkerClient<SearchRequest, SearchAnswer> | null = null
  let refusal: AppError | null = null

  /** Each kind of request has its kind of answer (`answerSearch`); without a file nothing is found. */
  async function ask<Answer extends SearchAnswer>(
    request: SearchRequest,
    nothing: Answer,
  ): Promise<Answer> {
    if (refusal) throw refusal
    if (!client) return nothing
    try {
      return (await client.call(request)) as Answer
    } catch (error) {
      damage(error)
      throw error
    }
  }

  return {
    search: (query) =>
      ask<SearchReply>({ in: 'library', ...query }, { hits: [], more: false, tookMs: 0 }),
    entries: (query) =>
      ask<EntrySearchReply>({ in: 'entries', ...query }, { hits: [], more: false, tookMs: 0 }),
    messages: (query) =>
      ask<MessageSearchReply>({ in: 'messages', ...query }, { hits: [], more: false, tookMs: 0 }),
    find: (id, query) =>
      ask<FindReply>({ in: 'conversation', id, query }, { places: [], more: false }),
    async warm() {
      await client?.call({ in: 'library', query: '', limit: 0 })
    },
    async use(file) {
      const old = client
      refusal = file instanceof AppError ? file : null
      client =
        file && !(file instanceof AppError)
          ? createWorkerClient<SearchRequest, SearchAnswer>({
              url,
              name: 'Search',
              data: file,
              timeoutMs,
            })
          : null
      await old?.close()
    },
    async close() {
      const old = client
      client = null
      await old?.close()
    },
  }
}
