import { setTimeout as delay } from 'node:timers/promises'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { ParsedOf } from '../../../../../shared/contract/routes.ts'
import { isAutomatic } from '../../../../../shared/model/semantic.ts'
import type { Work, WorkKind, WorkTarget } from '../../../../../shared/model/work.ts'
import { AppError } from '../../../../errors.ts'
import type { Store } from '../../../../library-database/store.ts'
import { mayHaveBeenReceived } from '../../../../work-queue/retry-policy.ts'
import type { Chats } from '../../../chats/index.ts'
import type { DocumentsService } from '../../../documents/index.ts'
import type { Embeddings, Knowledge } from '../../../knowledge/index.ts'
import type { Meetings } from '../../../audio/index.ts'
import type { FileJobs } from '../file-jobs/file-jobs.ts'
import type { Semantic } from '../semantic/semantic.ts'
import type { SpeechService, Voices } from '../../../voices/index.ts'
import { items } from './work-items.ts'
import { voiceAccounts, baseTargets } from './targets.ts'
import type { WorkRow } from './work-row.ts'

interface WorkDeps {
  readonly store: Store
  readonly meetings: Pick<Meetings, 'fill'>
  readonly documents: Pick<DocumentsService, 'cancel' | 'retry' | 'queue'>
  readonly chats: Pick<Chats, 'configure'>
  readonly embeddings: Pick<Embeddings, 'get' | 'cancel' | 'start'>
  readonly semantic: Pick<Semantic, 'begin' | 'stop'>
  readonly speech: Pick<SpeechService, 'move'>
  readonly voices: Pick<Voices, 'list'>
  readonly fileJobs: Pick<FileJobs, 'list'>
  readonly knowledge: { readonly uploads: Pick<Knowledge['uploads'], 'add' | 'open' | 'remove'> }
}

/** List of all background work, based on rows. */
export interface WorkList {
  all(): readonly Work[]
  /** Removes the failed transcription of a meeting; see the route `work.dismiss`. */
  dismiss(meetingId: string): void
  /** Moves waiting work to another account; see the route `work.move`. */
  move(request: ParsedOf<'work.move'>): Promise<void>
}

/** Maximum time in milliseconds that a move waits for an attempt in progress, and the interval of looking. */
const attemptMs = 10_000
const attemptPollMs = 50

type Move = (id: string, accountId: string, target: WorkTarget | null) => Promise<unknown>

export function createWorkList(deps: WorkDeps): WorkList {
  const { store } = deps
  const { fill } = deps.meetings

  const all = (): readonly Work[] => {
    const rows = [
      ...items(store, deps.documents.queue()),
      ...requestedWork(deps),
      ...indexes(store),
      ...exports(deps),
    ]
    listVoicesFor(rows)
    return rows.map((row) => ({
      targets: null,
      bound: null,
      file: null,
      ...row,
      mayBeDone:
        row.state === 'waiting' &&
        row.error !== null &&
        // This computer charges nothing.
        store.accounts.get(row.accountId)?.preset !== 'local' &&
        mayHaveBeenReceived(row.error),
    }))
  }

  /** Accounts whose voices were requested in this run. */
  const listed = new Set<string>()
  /**
   * Requests the voices of accounts that were never listed, once each: a waiting narration can move only to accounts whose
   * voices are known.
   */
  const listVoicesFor = (rows: readonly WorkRow[]): void => {
    for (const row of rows) {
      if (row.kind !== 'speech' || row.bound !== 'noVoice' || !store.writable) continue
      for (const { id } of voiceAccounts(store, row.accountId)) {
        if (listed.has(id) || store.voices.list(id).at !== null) continue
        listed.add(id)
        // A failure is reported with the list, and the account is not offered.
        void deps.voices.list({ accountId: id, from: 'service' }).catch(() => undefined)
      }
    }
  }

  const moves: Readonly<Partial<Record<WorkKind, Move>>> = {
    meeting: (id, accountId) => fill({ id, accountId }),
    async document(versionId, accountId) {
      const version = store.documents.version(versionId)
      if (!version) throw gone()
      const open = store.documents
        .pages(version.documentId, { versionId })
        .filter(({ state }) => state === 'waiting')
      await deps.documents.cancel(versionId)
      deps.documents.retry({ versionId, accountId, pages: open.map(({ page }) => page) })
    },
    async chat(messageId, accountId) {
      const conversation = store.chats.get(store.chats.message(messageId)?.conversationId ?? '')
      if (!conversation) throw gone()
      deps.chats.configure({ id: conversation.id, settings: conversation.settings, accountId })
    },
    async texts(id, accountId) {
      const run = deps.embeddings.get(id)
      const sets = run.sets.map(({ model, dimensions }) => ({ model, dimensions }))
      await deps.embeddings.cancel(id)
      // Vectors of two providers are not comparable, so all are computed again, and the received ones stay with the
      // stopped run.
      await deps.embeddings.start({ mediaId: run.textsMediaId, title: run.title, sets, accountId })
    },
    async speech(id, accountId, target) {
      if (!target) throw gone()
      await deps.speech.move(id, accountId, { id: target.choiceId, name: target.choiceName })
    },
    async upload(id, accountId, target) {
      const upload = store.knowledge.uploads.get(id)
      if (!upload || !target) throw gone()
      const { kind, name, mediaId, itemId, slicing, parseImages, wordLimit } = upload
      if (kind === 'file' && mediaId === null) throw gone()
      const source =
        mediaId === null
          ? { kind: 'url' as const, url: name }
          : { kind: 'file' as const, mediaId, name, ...(itemId !== null && { itemId }) }
      const how = { slicing, parseImages, ...(wordLimit !== null && { wordLimit }) }
      deps.knowledge.uploads.add(
        { sources: [source], ...how },
        { accountId, baseId: target.choiceId },
      )
      await deps.knowledge.uploads.remove(upload, [id])
    },
    async index(id, accountId) {
      const index = store.semantic.indexes().find((one) => String(one.id) === id)
      if (!index) throw gone()
      const { model, dimensions, kinds, since } = index
      await deps.semantic.stop(index.id)
      await deps.semantic.begin({ accountId, model, dimensions, kinds, since })
    },
  }

  /**
   * Returns the job when no attempt is in progress. Retries start on their own, so one may begin between the moment a
   * person sees the job waiting and the request to move it. An attempt that takes longer is returned as running.
   */
  const betweenAttempts = async (kind: WorkKind, id: string): Promise<Work | undefined> => {
    const find = (): Work | undefined =>
      all().find((one) => one.kind === kind && one.id === id && one.state !== 'failed')
    const until = Date.now() + attemptMs
    let found = find()
    while (found?.state === 'running' && Date.now() < until) {
      await delay(attemptPollMs)
      found = find()
    }
    return found
  }

  /** Jobs that are being moved, each once at a time. */
  const moving = new Set<string>()

  const moveNow: WorkList['move'] = async ({ kind, id, accountId, choiceId, confirmed }) => {
    const isListed = all().some(
      (one) => one.kind === kind && one.id === id && one.state !== 'failed',
    )
    const found = await betweenAttempts(kind, id)
    // The attempt in progress completed the job. One that failed is reported with its failure.
    if (isListed && !found && isCompleted(store, kind, id)) return
    if (!found) throw gone()
    if (!store.accounts.get(accountId)) throw new AppError('NOT_FOUND', 'Account not found')
    const target = found.targets?.find(
      (one) => one.accountId === accountId && one.choiceId === choiceId,
    )
    const move = moves[kind]
    if (!found.movable || !move || (found.targets && !target))
      throw new AppError('REFUSED', 'The job cannot be moved now', { params: { what: 'move' } })
    if (found.mayBeDone && !confirmed)
      throw new AppError('REFUSED', 'The provider may have finished it already', {
        params: { what: 'mayBeDone' },
      })
    await move(id, accountId, target ?? null)
  }

  return {
    all,
    dismiss: (id) => store.meetings.dismissFailures(id),
    async move(request) {
      if (!store.accounts.get(request.accountId))
        throw new AppError('NOT_FOUND', 'Account not found')
      const key = `${request.kind} ${request.id}`
      if (moving.has(key))
        throw new AppError('REFUSED', 'The job is being moved', { params: { what: 'move' } })
      moving.add(key)
      try {
        await moveNow(request)
      } finally {
        moving.delete(key)
      }
    },
  }
}

/** Whether a job that is no longer listed ended with a result. Only for those that are retried on their own. */
function isCompleted(store: Store, kind: WorkKind, id: string): boolean {
  if (kind !== 'meeting') return false
  const meeting = store.meetings.get(id)
  return meeting?.error === null && meeting.completeness.failed === 0
}

const gone = (): AppError => new AppError('NOT_FOUND', 'The job is not running')

/** Returns the Library indexes that are being embedded; what happens in the background is no work of the user. */
const indexes = (store: Store): readonly WorkRow[] =>
  store.semantic.indexes().flatMap((index): WorkRow[] => {
    const { state, accountId, accountName, error, done, waiting } = index
    if (isAutomatic(index)) return []
    if (waiting === 0 || (state !== 'running' && state !== 'waiting')) return []
    const id = String(index.id)
    const progress = done / Math.max(1, done + waiting)
    const common = { accountId, accountName, state, progress, error, title: '' }
    return [{ ...common, kind: 'index', id, placeId: id, movable: state === 'waiting' }]
  })

/** Returns the exports that run, failed, or wait to be saved, and archives that were interrupted. */
const exports = ({ store, fileJobs }: WorkDeps): readonly WorkRow[] =>
  fileJobs.list().map(({ id, state, request, file, error }) => {
    const { id: itemId, file: archive } = request
    const item = typeof itemId === 'string' ? store.items.summary(itemId) : undefined
    const title = file?.name ?? item?.title ?? (typeof archive === 'string' ? archive : '')
    const common = { accountId: '', accountName: '', progress: null, movable: false }
    return { ...common, kind: 'export', id, placeId: item?.id ?? '', title, state, error, file }
  })

/** Maximum number of knowledge base documents reported at once. */
const maxDocuments = 200

/**
 * Returns unfinished requests to providers: Playground runs, rerankings, embeddings, knowledge base queries, and uploads
 * to knowledge bases.
 */
function requestedWork({ store, knowledge: { uploads } }: WorkDeps): readonly WorkRow[] {
  const { knowledge } = store
  return [
    ...uploads.open().map((upload): WorkRow => ({
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
    ...some(
      'texts',
      store.embeddings.open().map(({ id }) => id),
      (id) => store.embeddings.get(id),
    ),
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
