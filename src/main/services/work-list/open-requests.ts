import type { Failure } from '../../../shared/bridge/reply.ts'
import type { WorkKind } from '../../../shared/model/work.ts'
import type { Store } from '../../store/types.ts'
import { baseTargets } from './targets.ts'
import type { WorkRow } from './work-row.ts'

/** Maximum number of knowledge base documents reported at once. */
const maxDocuments = 200

/**
 * Returns unfinished requests to providers: Playground runs, rerankings, embeddings, knowledge base queries, and uploads
 * to knowledge bases.
 */
export function requestedWork(store: Store): readonly WorkRow[] {
  const { knowledge } = store
  return [
    ...knowledge.uploads.open().map((upload): WorkRow => ({
      kind: 'upload',
      id: upload.id,
      placeId: upload.baseId,
      title: upload.name,
      accountId: upload.accountId,
      accountName: nameOf(store, upload.accountId),
      state:
        upload.state === 'sending' ? 'running' : upload.state === 'waiting' ? 'waiting' : 'queued',
      progress: null,
      error: upload.error,
      ...baseTargets(store, upload),
    })),
    ...knowledge.documents.due(Number.MAX_SAFE_INTEGER, maxDocuments).flatMap((due): WorkRow[] => {
      const document = knowledge.documents.get(due.accountId, due.baseId, due.id)
      if (!document) return []
      return [
        {
          kind: 'embedding',
          id: due.id,
          placeId: due.baseId,
          title: document.name,
          accountId: due.accountId,
          accountName: nameOf(store, due.accountId),
          state: 'running',
          progress: null,
          error: null,
          movable: false,
        },
      ]
    }),
    ...some('run', store.runs.unfinished(), (id) => store.runs.summary(id)),
    ...some('ranking', store.rerank.unfinished(), (id) => store.rerank.summary(id)),
    ...some('texts', store.embeddings.unfinished(), (id) => store.embeddings.get(id)),
    ...store.retrievalRuns.open().map((run): WorkRow => ({
      kind: 'retrieval',
      id: run.id,
      placeId: run.setId ?? '',
      title: run.title || run.question,
      accountId: run.accountId,
      accountName: run.accountName,
      state: run.waiting > 0 ? 'waiting' : 'running',
      progress: run.done / Math.max(1, run.total),
      error: null,
      movable: false,
      bound: 'bases',
    })),
  ]
}

interface Row {
  readonly title: string
  readonly accountId: string
  readonly accountName: string
  readonly state: string
  readonly error: Failure | null
}

const some = (
  kind: WorkKind,
  ids: readonly string[],
  row: (id: string) => Row | undefined,
): readonly WorkRow[] =>
  ids.flatMap((id) => {
    const found = row(id)
    if (!found) return []
    const { title, accountId, accountName, error } = found
    const state = found.state === 'waiting' ? 'waiting' : 'running'
    return [
      {
        kind,
        id,
        placeId: id,
        title,
        accountId,
        accountName,
        state,
        progress: null,
        error,
        movable: kind === 'texts' && state === 'waiting',
      },
    ]
  })

const nameOf = (store: Store, accountId: string): string =>
  store.accounts.get(accountId)?.name ?? ''
