import type { Failure } from '../../../../shared/contract/reply.ts'
import type { ParsedOf } from '../../../../shared/contract/routes.ts'
import type { KnowledgeUpload } from '../../../../shared/model/knowledge.ts'
import type { ServiceTarget } from '../../../provider-client/types.ts'
import { AppError, toFailure } from '../../../errors.ts'
import { isRepairable, neverSent, planRetry } from '../../../work-queue/retry-policy.ts'
import { everyPage, pageSizeOf } from '../../../mirror/fetch-list.ts'
import type { BaseRef, KnowledgeDeps } from './knowledge-types.ts'

/** Uploads of files and URLs to knowledge bases: a queue of rows, sent a few at a time, across restarts and outages. */
export interface Uploads {
  /** Throws FILE_MISSING for a file that is not saved. */
  add(
    request: Omit<ParsedOf<'knowledge.upload'>, keyof BaseRef>,
    ref: BaseRef,
  ): readonly KnowledgeUpload[]
  /** Uploads of a knowledge base, newest first. */
  list(ref: BaseRef): readonly KnowledgeUpload[]
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

/** Maximum parallel uploads, and maximum rows reported per knowledge base. */
const atOnce = 2
const maxReported = 1000
/** Pause after a database write failed, in milliseconds. */
const problemMs = 5_000

const again: ReadonlySet<KnowledgeUpload['state']> = new Set(['refused', 'failed', 'waiting'])

/** Creates the queue; `taken` is called with each document that the provider accepted. */
export function createUploads(
  deps: KnowledgeDeps,
  taken: (upload: KnowledgeUpload, documentId: string | null) => Promise<void>,
): Uploads {
  const { store, clock } = deps
  const { uploads } = store.knowledge
  const sender = createUploadSender(deps)
  const active = new Map<string, { readonly stop: AbortController; readonly done: Promise<void> }>()
  /** Consecutive attempts that never left this computer: pauses grow with them. */
  const unsent = new Map<string, number>()
  let callOff: (() => void) | null = null
  let closed = false

  const changed = ({ accountId, baseId }: BaseRef): void => deps.onChange(accountId, baseId)

  const failed = (upload: KnowledgeUpload, error: AppError): void => {
    const failure = toFailure(error, clock())
    // An upload that was running when the app ended may have been received, even if the check for it failed.
    const before = Math.max(upload.attempts, upload.state === 'sending' ? 1 : 0)
    const attempts = before + (neverSent(error) ? 0 : 1)
    const inARow = neverSent(error) ? (unsent.get(upload.id) ?? 0) + 1 : 1
    unsent.set(upload.id, inARow)
    const next = planRetry(error, Math.max(1, attempts), inARow)
    // The account must be fixed first.
    const waits = isRepairable(error.code)
      ? { nextTryAt: null }
      : next.state === 'waiting'
        ? { nextTryAt: clock() + next.delayMs }
        : null
    uploads.change(
      upload.id,
      waits
        ? { state: 'waiting', error: failure, attempts, ...waits }
        : { state: 'failed', error: failure, attempts, nextTryAt: null, endedAt: clock() },
    )
  }

  const send = async (upload: KnowledgeUpload, signal: AbortSignal): Promise<void> => {
    uploads.change(upload.id, { state: 'sending', nextTryAt: null })
    changed(upload)
    try {
      const outcome = await sender.send(upload, signal)
      if (signal.aborted) return
      if ('refused' in outcome) {
        uploads.change(upload.id, {
          state: 'refused',
          error: outcome.refused,
          attempts: upload.attempts + 1,
          endedAt: clock(),
        })
      } else {
        unsent.delete(upload.id)
        const { documentId } = outcome
        // The provider has it: release the saved file.
        const done = { state: 'taken', error: null, mediaId: null, endedAt: clock() } as const
        uploads.change(upload.id, { ...done, documentId, attempts: upload.attempts + 1 })
        // The upload is done, even if follow-up requests for it fail.
        await taken(upload, documentId).catch((error: unknown) => {
          if (!(error instanceof AppError))
            deps.log.error('failed to process an uploaded document', { error })
        })
      }
    } catch (error) {
      // Stopped by us: the caller that stopped it updates the row.
      if (signal.aborted) return
      if (!(error instanceof AppError))
        deps.log.error('failed to upload to a knowledge base', { error })
      failed(upload, error instanceof AppError ? error : new AppError('INTERNAL', 'Internal error'))
    }
  }
  const start = (upload: KnowledgeUpload): void => {
    const stop = new AbortController()
    const done = Promise.resolve()
      .then(() => send(upload, stop.signal))
      .then(() => true)
      .catch((error: unknown) => {
        deps.log.error('failed to save the state of an upload', { error })
        return false
      })
      .then((written) => {
        active.delete(upload.id)
        if (closed) return
        changed(upload)
        // A database that currently rejects writes is not tried again at once: the row stays unchanged.
        if (written) pump()
        else rest()
      })
    active.set(upload.id, { stop, done })
  }
  const rest = (): void => {
    callOff?.()
    callOff = deps.after(problemMs, pump)
  }
  /** Starts uploads that are due and schedules the next run. */
  const pump = (): void => {
    callOff?.()
    if (closed || !store.writable) return
    const now = clock()
    // Uploads that are already running may be among them.
    const due = uploads.due(now, atOnce + active.size).filter(({ id }) => !active.has(id))
    for (const upload of due.slice(0, Math.max(0, atOnce - active.size))) start(upload)
    const { count, next } = uploads.waiting(now)
    deps.onWaiting(count)
    if (next !== null) callOff = deps.after(next - now, pump)
  }
  const stop = async (ids: readonly string[]): Promise<void> => {
    const stopped = ids.flatMap((id) => active.get(id) ?? [])
    for (const one of stopped) one.stop.abort()
    await Promise.all(stopped.map(({ done }) => done))
  }
  const remove = async (ref: BaseRef, ids: readonly string[]): Promise<void> => {
    const own = ids.filter((id) => {
      const upload = uploads.get(id)
      return upload?.accountId === ref.accountId && upload.baseId === ref.baseId
    })
    await stop(own)
    uploads.remove(own)
    changed(ref)
    pump()
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
      pump()
      return made.flatMap(({ id }) => uploads.get(id) ?? [])
    },
    list: ({ accountId, baseId }) => uploads.ofBase(accountId, baseId, maxReported),
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
      pump()
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
    resume: pump,
    accountReady(accountId) {
      if (!store.writable) return
      uploads.wake(accountId, clock())
      pump()
    },
    busy: () => active.size > 0,
    stopAll: () => stop([...active.keys()]),
    async shutdown() {
      closed = true
      callOff?.()
      await stop([...active.keys()])
    },
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

function createUploadSender(deps: KnowledgeDeps): UploadSender {
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
