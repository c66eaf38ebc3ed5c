import type { Embeddings } from '../service/embeddings/embeddings.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers of embeddings (service-notes 15). */
export const embeddingHandlers = (
  embeddings: Embeddings,
): Pick<
  Handlers,
  | 'embeddings.plan'
  | 'embeddings.start'
  | 'embeddings.resume'
  | 'embeddings.cancel'
  | 'embeddings.get'
  | 'embeddings.list'
  | 'embeddings.rename'
  | 'embeddings.remove'
  | 'embeddings.restore'
  | 'embeddings.query'
  | 'embeddings.items'
  | 'embeddings.export'
> => ({
  'embeddings.plan': (order) => embeddings.plan(order),
  'embeddings.start': (order) => embeddings.start(order),
  'embeddings.resume': ({ id }) => embeddings.resumeRun(id),
  'embeddings.cancel': ({ id }) => embeddings.cancel(id),
  'embeddings.get': ({ id }) => embeddings.get(id),
  'embeddings.list': (query) => embeddings.list(query),
  'embeddings.rename': ({ id, title }) => embeddings.rename(id, title),
  'embeddings.remove': async ({ ids }) => {
    await embeddings.remove(ids)
    return {}
  },
  'embeddings.restore': ({ ids }) => {
    embeddings.restore(ids)
    return {}
  },
  'embeddings.query': ({ id, set, text }) => embeddings.query(id, set, text),
  'embeddings.items': ({ ids, tokens }) => embeddings.items(ids, tokens),
  'embeddings.export': ({ id, set, format }) => embeddings.export(id, set, format),
})
