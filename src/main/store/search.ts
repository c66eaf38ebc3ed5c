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

/** Milliseconds after which a search is aborted and its worker restarted. */
const timeoutMs = 15_000

/** Search with the lifecycle of its worker. */
export interface SearchService extends SearchIndex {
  /** Search in the messages of all chats. */
  readonly messages: ChatStore['search']
  /** Search in one chat. */
  readonly find: ChatStore['find']
  /**
   * Sets the file to search from now on; null for none (nothing is found), an error while the file cannot be read.
   */
  use(file: SearchWorkerData | AppError | null): Promise<void>
  /** Starts the worker before it is needed. */
  warm(): Promise<void>
  close(): Promise<void>
}

/**
 * Search off the main thread. A worker that died is restarted by the next search; the search that crashed it rejects with
 * ENGINE_UNAVAILABLE. `damage` is called for a damaged file, which a search may be the first to detect.
 */
export function searchService(url: URL, damage: (error: unknown) => void): SearchService {
  let client: WorkerClient<SearchRequest, SearchAnswer> | null = null
  let refusal: AppError | null = null

  /** Each type of request has its type of response (`answerSearch`); without a file nothing is found. */
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
