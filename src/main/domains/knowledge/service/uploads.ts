import type { Failure } from '../../../../shared/contract/reply.ts'
import type { ParsedOf } from '../../../../shared/contract/routes.ts'
import type { KnowledgeUpload } from '../../../../shared/model/knowledge.ts'
import type { ServiceTarget } from '../../../provider-client/types.ts'
import { AppError } from '../../../errors.ts'
import { isRepairable } from '../../../work-queue/retry-policy.ts'
import { waitUntilIdle } from '../../../work-queue/wait-briefly.ts'
import type { Executed } from '../../../work-queue/work-queue.ts'
import { everyPage, pageSizeOf } from '../../../mirror/fetch-list.ts'
import type { BaseRef } from './bases.ts'
import type { Context } from '../../../context.ts'
import type { Api } from '../../../provider-client/api.ts'
import type { MediaFiles } from '../../../platform/files/files.ts'

/** Uploads of files and URLs to knowledge bases: rows, sent a few at a time, across restarts and outages. */
export interface Uploads {
  /** Throws FILE_MISSING for a file that is not saved. */
  add(
    request: Omit<ParsedOf<'knowledge.upload'>, keyof BaseRef>,
    ref: BaseRef,
  ): readonly KnowledgeUpload[]
  /** Uploads of a knowledge base, newest first. */
  list(ref: BaseRef): readonly KnowledgeUpload[]
  /** Uploads of all knowledge bases that have not ended. */
  open(): readonly KnowledgeUpload[]
  /** Retries uploads that were refused, failed or are waiting; all of a knowledge base if `ids` is null. */
  retry(ref: BaseRef, ids: readonly string[] | null): readonly KnowledgeUpload[]
  /** Removes uploads from the queue; one that is being sent is stopped. */
  remove(ref: BaseRef, ids: readonly string[]): Promise<void>
  /** Removes all uploads of a knowledge base that is being deleted. */
  drop(ref: BaseRef): Promise<void>
  resume(): void
  accountReady(accountId: string): void
  busy(): boolean
  /** Stops running uploads. */
  stopAll(): Promise<void>
  shutdown(): Promise<void>
}

/** Maximum parallel uploads to an account, and maximum rows reported per knowledge base. */
const atOnce = 2
const maxReported = 1000

const again: ReadonlySet<KnowledgeUpload['state']> = new Set(['refused', 'failed', 'waiting'])

/** Dependencies of uploads. */
export interface UploadsDeps extends Pick<
  Context,
  'store' | 'accounts' | 'clock' | 'ids' | 'log' | 'workQueue' | 'emit' | 'setWaiting'
> {
  readonly api: Pick<Api, 'documents'>
  readonly files: Pick<MediaFiles, 'path'>
}

/** Creates the uploads; `taken` is called with each document that the provider accepted. */
export function createUploads(
  deps: UploadsDeps,
  taken: (upload: KnowledgeUpload, documentId: string | null) => Promise<void>,
): Uploads {
  const { store, clock } = deps
  const { uploads } = store.knowledge
  const sender = createUploadSender(deps)
  const changed = ({ accountId, baseId }: BaseRef): void =>
    deps.emit({ type: 'knowledge.changed', accountId, baseId })

  /** Number of attempts before. One that was running when the app ended may have been received. */
  const attemptsBefore = ({ attempts, state }: KnowledgeUpload): number =>
    Math.max(attempts, state === 'sending' ? 1 : 0)

  /** Whether the provider has it, so that no later failure makes it wait again. */
  const isTaken = ({ id }: KnowledgeUpload): boolean => uploads.get(id)?.state === 'taken'
  /** Adds what only the running app knows: why it does not continue, and when it will. */
  const present = (upload: KnowledgeUpload): KnowledgeUpload => {
    if (upload.state !== 'queued' && upload.state !== 'waiting') return upload
    const { closed, reason, nextAt } = work.status(upload.accountId)
    if (closed === null || reason === null) return upload
    return { ...upload, state: 'waiting', error: upload.error ?? reason, nextTryAt: nextAt }
  }
  const openUploads = (): readonly KnowledgeUpload[] => uploads.open().map(present)

  const execute = async (upload: KnowledgeUpload, signal: AbortSignal): Promise<Executed> => {
    uploads.change(upload.id, { state: 'sending', nextTryAt: null })
    changed(upload)
    const outcome = await sender.send(upload, signal)
    if (signal.aborted) return 'unsent'
    const attempts = upload.attempts + 1
    if ('refused' in outcome) {
      const error = outcome.refused
      uploads.change(upload.id, { state: 'refused', error, attempts, endedAt: clock() })
    } else {
      const { documentId } = outcome
      // The provider has it: release the saved file.
      const done = { state: 'taken', error: null, mediaId: null, endedAt: clock() } as const
      uploads.change(upload.id, { ...done, documentId, attempts })
      // The upload is done, even if follow-up requests for it fail.
      await taken(upload, documentId).catch((error: unknown) => {
        if (!(error instanceof AppError))
          deps.log.error('failed to process an uploaded document', { error })
      })
    }
    changed(upload)
    return 'done'
  }

  const work = deps.workQueue.add<KnowledgeUpload>({
    about: 'upload',
    // A missing knowledge base must not block the others.
    isOneOperation: false,
    id: ({ id }) => id,
    group: ({ baseId }) => baseId,
    takesTurns: true,
    priority: () => 0,
    accounts: () => (store.writable ? uploads.accounts() : []),
    size: () => atOnce,
    next: (search) => uploads.next(search),
    nextTime: (after) => uploads.waiting(after).next,
    execute,
    attempts: (upload) => attemptsBefore(upload) + 1,
    wait(upload, error, { why, at }) {
      if (isTaken(upload)) return
      const isCounted = why === 'again' || why === 'store'
      uploads.change(upload.id, {
        state: 'waiting',
        error,
        attempts: attemptsBefore(upload) + (isCounted ? 1 : 0),
        // The account must be fixed first.
        nextTryAt: isRepairable(error.code) ? null : (at ?? clock()),
      })
      changed(upload)
    },
    fail(upload, error) {
      if (isTaken(upload)) return
      const attempts = attemptsBefore(upload) + 1
      const state = isRepairable(error.code) ? 'waiting' : 'failed'
      const endedAt = state === 'failed' ? clock() : null
      uploads.change(upload.id, { state, error, attempts, nextTryAt: null, endedAt })
      changed(upload)
    },
    // Whoever stopped it changes the row.
    stopped: changed,
    onAccount(accountId) {
      const bases = uploads.open().filter((upload) => upload.accountId === accountId)
      for (const baseId of new Set(bases.map((upload) => upload.baseId)))
        changed({ accountId, baseId })
    },
    onSearched: () =>
      deps.setWaiting('knowledge', openUploads().filter(({ state }) => state === 'waiting').length),
  })

  const remove = async (ref: BaseRef, ids: readonly string[]): Promise<void> => {
    const own = ids.filter((id) => {
      const upload = uploads.get(id)
      return upload?.accountId === ref.accountId && upload.baseId === ref.baseId
    })
    // Before they are stopped: a stopped one would be next again.
    uploads.remove(own)
    await work.stop(({ id }) => own.includes(id))
    changed(ref)
    work.kick()
  }

  return {
    remove,
    add({ sources, slicing, parseImages, wordLimit }, ref) {
      const at = clock()
      const made = sources.map((source) => {
        if (source.kind === 'file' && !store.media.get(source.mediaId))
          throw new AppError('FILE_MISSING', 'File not found', {
            params: { name: source.name },
          })
        return {
          ...ref,
          id: deps.ids(),
          kind: source.kind,
          name: source.kind === 'file' ? source.name : source.url,
          mediaId: source.kind === 'file' ? source.mediaId : null,
          itemId: source.kind === 'file' ? (source.itemId ?? null) : null,
          slicing: source.slicing ?? slicing,
          parseImages,
          wordLimit: wordLimit ?? null,
          state: 'queued' as const,
          documentId: null,
          error: null,
          attempts: 0,
          nextTryAt: null,
          createdAt: at,
          endedAt: null,
        }
      })
      uploads.add(made)
      changed(ref)
      work.wake(ref.accountId)
      work.kick()
      return made.flatMap(({ id }) => uploads.get(id) ?? [])
    },
    list: ({ accountId, baseId }) => uploads.ofBase(accountId, baseId, maxReported).map(present),
    open: openUploads,
    retry(ref, ids) {
      const wanted = uploads
        .ofBase(ref.accountId, ref.baseId, maxReported)
        .filter(({ id, state }) => again.has(state) && (ids === null || ids.includes(id)))
      for (const { id } of wanted)
        uploads.change(id, {
          state: 'queued',
          error: null,
          nextTryAt: null,
          endedAt: null,
          // It may have been received, so its existence is checked first.
          attempts: 1,
        })
      changed(ref)
      work.wake(ref.accountId)
      return wanted.flatMap(({ id }) => uploads.get(id) ?? [])
    },
    async drop(ref) {
      const open = uploads
        .open()
        .filter(({ accountId, baseId }) => accountId === ref.accountId && baseId === ref.baseId)
      if (open.length > 0)
        await remove(
          ref,
          open.map(({ id }) => id),
        )
    },
    resume: () => work.kick(),
    accountReady(accountId) {
      if (!store.writable) return
      uploads.wake(accountId, clock())
      work.wake(accountId)
    },
    busy: () => work.busy(),
    async stopAll() {
      // A stopped one would be next again.
      uploads.remove(uploads.open().map(({ id }) => id))
      await work.stop(() => true)
      // Follow-up requests of finished ones write rows.
      await waitUntilIdle(() => work.busy())
    },
    shutdown: () => work.shutdown(),
  }
}

/** Result of an upload. */
type Sent =
  | { readonly documentId: string | null }
  /** Rejected by the provider, with the reason. */
  | { readonly refused: Failure }

/** Sends one file or URL to a knowledge base. */
interface UploadSender {
  /**
   * Checks first whether an upload that may have been received before exists, so that nothing is in a knowledge base twice.
   * Throws the errors of the request, and FILE_MISSING.
   */
  send(upload: KnowledgeUpload, signal: AbortSignal): Promise<Sent>
}

function createUploadSender(deps: UploadsDeps): UploadSender {
  const { store, api, clock } = deps
  const { documents, uploads } = store.knowledge

  /** Finds a document with this name that was created after the upload began and belongs to no other upload. */
  const arrived = async (
    { accountId, baseId, name, createdAt }: KnowledgeUpload,
    target: ServiceTarget,
    signal: AbortSignal,
  ): Promise<string | null> => {
    const size = pageSizeOf(target)
    const { rows } = await everyPage(
      size,
      async (page) => {
        const request = { knowledgeId: baseId, word: name, page, size }
        const { value } = await api.documents.list(target, request, { signal })
        return { rows: value.documents, total: value.total }
      },
      () => undefined,
    )
    const isNew = (id: string): boolean => {
      const known = documents.get(accountId, baseId, id)
      return (!known || known.firstSeenAt >= createdAt) && !uploads.hasUploaded(accountId, id)
    }
    const found = rows.find((one) => (one.name === name || one.url === name) && isNew(one.id))
    return found?.id ?? null
  }
  const fileOf = async ({ mediaId, name }: KnowledgeUpload) => {
    const missing = new AppError('FILE_MISSING', 'The file no longer exists', { params: { name } })
    if (mediaId === null) throw missing
    const { inputFile } = await import('../../../operations/input-file.ts')
    return inputFile(await deps.files.path(mediaId), async () => null, name)
  }
  const call = async (upload: KnowledgeUpload, target: ServiceTarget, signal: AbortSignal) => {
    const { type, separators, sentenceSize } = upload.slicing
    const rules = {
      knowledgeType: type,
      ...(type === 5 && { separators, sentenceSize }),
    }
    const { baseId: knowledgeId } = upload
    if (upload.kind === 'url') {
      const urls = [{ url: upload.name, ...rules }]
      return api.documents.uploadUrls(target, { knowledgeId, urls }, { signal })
    }
    return api.documents.upload(
      target,
      {
        knowledgeId,
        files: [await fileOf(upload)],
        ...rules,
        parseImages: upload.parseImages,
        ...(upload.wordLimit !== null && { wordLimit: upload.wordLimit }),
      },
      { signal },
    )
  }

  return {
    async send(upload, signal) {
      const target = await deps.accounts.target(upload.accountId)
      const mayHaveBeenReceived = upload.state === 'sending' || upload.attempts > 0
      const known = mayHaveBeenReceived ? await arrived(upload, target, signal) : null
      if (known !== null) return { documentId: known }
      const { value } = await call(upload, target, signal)
      const [accepted] = value.accepted
      if (accepted) return { documentId: accepted.documentId === '' ? null : accepted.documentId }
      const reason = value.refused[0]?.reason ?? ''
      return {
        refused: {
          code: 'REFUSED',
          message: 'The provider rejected the upload',
          retriable: true,
          ...(reason !== '' && { service: { message: reason } }),
          at: clock(),
        },
      }
    },
  }
}
