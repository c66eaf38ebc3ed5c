import type { Work } from '../../../shared/model/work.ts'
import type { Store } from '../../store/types.ts'

/** Documents of bases that are told at once. */
const mostDocuments = 200

/** What was asked of a service and is not over: runs of the Playground, rankings, vectors, questions to bases, and what bases take in. */
export function asked(store: Store): readonly Work[] {
  const { knowledge } = store
  return [
    ...knowledge.uploads.open().map((upload): Work => ({
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
      movable: false,
    })),
    ...knowledge.documents.due(Number.MAX_SAFE_INTEGER, mostDocuments).flatMap((due): Work[] => {
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
    ...store.retrievalRuns.open().map((run): Work => ({
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
    })),
  ]
}

interface Row {
  readonly title: string
  readonly accountId: string
  readonly accountName: string
  readonly state: string
  readonly error: Work['error']
}

const some = (
  kind: Work['kind'],
  ids: readonly string[],
  row: (id: string) => Row | undefined,
): readonly Work[] =>
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
