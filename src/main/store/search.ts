import type { SearchReply } from '../../shared/model/library.ts'
import { AppError } from '../errors.ts'
import { createWorkerClient, type WorkerClient } from '../workers/client.ts'
import type { SearchWorkerData } from '../workers/search.ts'
import type { SearchQuery } from './search-run.ts'
import type { SearchIndex } from './types.ts'

/** Milliseconds after which a search is given up and its worker started anew. */
const timeoutMs = 15_000

/** Search with its worker's life. */
export interface SearchService extends SearchIndex {
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
  let client: WorkerClient<SearchQuery, SearchReply> | null = null
  let refusal: AppError | null = null

  return {
    async search(query) {
      if (refusal) throw refusal
      if (!client) return { hits: [], more: false, tookMs: 0 }
      try {
        return await client.call(query)
      } catch (error) {
        damage(error)
        throw error
      }
    },
    async warm() {
      await client?.call({ query: '', limit: 0 })
    },
    async use(file) {
      const old = client
      refusal = file instanceof AppError ? file : null
      client =
        file && !(file instanceof AppError)
          ? createWorkerClient<SearchQuery, SearchReply>({
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
