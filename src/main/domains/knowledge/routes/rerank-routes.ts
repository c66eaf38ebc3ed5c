import type { ItemKind } from '../../../../shared/model/library.ts'
import type { Candidate } from '../../../../shared/model/rerank.ts'
import type { Rerank } from '../service/rerank/rerank-types.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers of reranking (service-notes 5). */
export const rerankHandlers = (
  rerank: Rerank,
): Pick<
  Handlers,
  | 'rerank.start'
  | 'rerank.resume'
  | 'rerank.cancel'
  | 'rerank.get'
  | 'rerank.list'
  | 'rerank.rename'
  | 'rerank.remove'
  | 'rerank.restore'
  | 'rerank.raw'
  | 'rerank.find'
  | 'rerank.export'
> => ({
  'rerank.start': ({ candidates, ...request }) =>
    rerank.start({
      ...request,
      candidates: candidates.map(({ text, source }): Candidate => ({
        text,
        // The type determines where a source opens; the page knows the valid types.
        source: source && { ...source, kind: source.kind as ItemKind },
      })),
    }),
  'rerank.resume': ({ id }) => rerank.resumeRanking(id),
  'rerank.cancel': ({ id }) => rerank.cancel(id),
  'rerank.get': ({ id }) => rerank.get(id),
  'rerank.list': (query) => rerank.list(query),
  'rerank.rename': ({ id, title }) => rerank.rename(id, title),
  'rerank.remove': async ({ ids }) => {
    await rerank.remove(ids)
    return {}
  },
  'rerank.restore': ({ ids }) => {
    rerank.restore(ids)
    return {}
  },
  'rerank.raw': ({ id, round }) => ({ reply: rerank.raw(id, round) }),
  'rerank.find': ({ query, limit }) => rerank.find(query, limit),
  'rerank.export': ({ id, format, language }) => rerank.export(id, format, language),
})
