import { defineStore } from 'pinia'
import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import type { EmbeddingRun } from '../../../../../shared/model/embeddings.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useSavedRuns } from '../../playground/index.ts'

/** Embeddings of the Library or of Trash, newest first, and the opened ones. */
export const useEmbeddings = defineStore('embeddings', () => {
  const client = useClient()
  const store = useSavedRuns<EmbeddingRun, EmbeddingRun, RequestOf<'embeddings.start'>>({
    async list(query) {
      const reply = await client.request('embeddings.list', query)
      return reply.ok ? { ok: true, data: { rows: reply.data.runs, next: reply.data.next } } : reply
    },
    get: (request) => client.request('embeddings.get', request),
    start: (order) => client.request('embeddings.start', order),
    resume: (request) => client.request('embeddings.resume', request),
    cancel: (request) => client.request('embeddings.cancel', request),
    rename: (request) => client.request('embeddings.rename', request),
    remove: (request) => client.request('embeddings.remove', request),
    restore: (request) => client.request('embeddings.restore', request),
    removedKey: 'embeddings.removed',
    changed: (_, run) => run,
  })
  client.onEvent((event) => {
    if (event.type === 'embeddings.changed') store.put(event.run)
  })
  return store
})
