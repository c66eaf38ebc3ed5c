import type { BoxRegime, DocumentFacts } from '../../../shared/model/document.ts'
import type { Api, ServiceTarget } from '../../api/types.ts'
import type { Clock, Ids, Log } from '../../deps.ts'
import type { DocumentTexts } from '../../documents/text-work.ts'
import { AppError } from '../../errors.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { DocumentsStore, PartRecord } from '../../store/documents-types.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { isStoreProblem, persist } from '../transcribe/persist.ts'
import type { PartFile, PartFiles } from './part-files.ts'
import type { Passwords } from './passwords.ts'
import { keepReply, replyReader } from './read-reply.ts'
import { wantsPassword } from './document-errors.ts'
import { createTurns } from './serial-work.ts'

/** What sending one part needs. */
export interface PartWorkerDeps {
  readonly store: { readonly documents: DocumentsStore }
  readonly files: Pick<MediaFiles, 'path'>
  readonly parts: PartFiles
  /** Long replies are read beside the main thread. */
  readonly texts: Pick<DocumentTexts, 'readReply'>
  readonly passwords: Passwords
  readonly api: Pick<Api, 'layout'>
  readonly accounts: Pick<Accounts, 'target'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** What came of taking up a part. */
export type Outcome =
  | { readonly type: 'done' }
  /** Others took its place, as its pages did not fit into one file. */
  | { readonly type: 'split' }
  /** It was cancelled meanwhile, or its document is gone. */
  | { readonly type: 'gone' }
  /** Nothing can be done without the document's password. */
  | { readonly type: 'locked' }
  /** Its file could not be written; nothing was sent. */
  | { readonly type: 'unwritten'; readonly error: AppError }
  /** The account or the service refused; `sent` tells whether a call was counted. */
  | { readonly type: 'failed'; readonly error: AppError; readonly sent: boolean }

/** Everything that is done with one part, and written down. */
export interface PartWorker {
  /** `onSent` is told when the call begins. Throws what is nobody's fault but the program's or the store's. */
  send(part: PartRecord, signal: AbortSignal, onSent: () => void): Promise<Outcome>
  /** Removes the files of parts that will not be sent. */
  drop(partIds: readonly string[]): Promise<void>
}

/** Files that are kept for another try, so that a refusal costs no second writing; each may have tens of megabytes. */
const maxKeptFiles = 6

/** Builds the hand; `closing` ends the wait for a store in trouble. */
export function createPartWorker(deps: PartWorkerDeps, closing: AbortSignal): PartWorker {
  const store = deps.store.documents
  const retainedFiles = new Map<string, PartFile>()
  /** How each account's replies count their boxes, as far as one of them showed it: it settles the doubts of others. */
  const regimes = new Map<string, BoxRegime>()

  /** Replies that come at the same time are stored one after the other. */
  const turn = createTurns()

  /** A write that outlasts a store in trouble: what was paid for must not be lost to a full disk. */
  const write = <T>(work: () => T): Promise<T> =>
    turn(() =>
      persist(work, closing, (error) =>
        deps.log.warn('the store does not take a part now', { code: error.code }),
      ),
    )

  const filesOf = async (
    part: PartRecord,
    found: DocumentFacts,
    target: ServiceTarget,
  ): Promise<readonly PartFile[]> => {
    const known = retainedFiles.get(part.id)
    retainedFiles.delete(part.id)
    if (known) return [known]
    if (part.mediaId === null) throw new AppError('FILE_MISSING', 'The original is gone')
    const path = await deps.files.path(part.mediaId)
    const password = deps.passwords.get(part.documentId)
    return deps.parts.prepare({ part, facts: found, path, password, limits: target.limits })
  }

  const splitUp = (part: PartRecord, files: readonly PartFile[]): void => {
    const made = files.map((file) => ({ ...file, id: deps.ids() }))
    store.split(
      part.id,
      made.map(({ id, first, last, bytes }) => ({ id, first, last, bytes })),
    )
    for (const { id, ...file } of made) keep(id, file)
  }
  const keep = (partId: string, file: PartFile): void => {
    if (retainedFiles.size < maxKeptFiles) retainedFiles.set(partId, file)
    else void deps.parts.remove(file)
  }

  const call = async (
    part: PartRecord,
    found: DocumentFacts,
    file: PartFile,
    target: ServiceTarget,
    signal: AbortSignal,
  ): Promise<void> => {
    const pages = file.last - file.first + 1
    const { crops, layoutPictures } = part.options
    const name = file.mime === 'application/pdf' ? 'document.pdf' : 'picture'
    const { path, bytes, mime } = file
    const known = (): BoxRegime | null => regimes.get(part.accountId) ?? null
    const answer = await deps.api.layout.parseBy(
      target,
      {
        source: { file: { path, bytes, mime, name }, mime, pages },
        cropImages: crops,
        visualisation: layoutPictures,
        // The queue repeats by itself, where everybody sees it wait and every sending is a row.
        sendings: 1,
      },
      { signal },
      replyReader(deps.texts, { part, facts: found, known }),
    )
    const { regime } = answer.value
    if (regime !== null) regimes.set(part.accountId, regime)
    await keepReply(store, part.id, answer, { at: deps.clock(), write })
    // What is told of it takes its time as well.
    await turn(() => undefined)
  }

  return {
    async send(part, signal, onSent) {
      const found = store.facts(part.documentId)
      if (!found) {
        const error = new AppError('NOT_FOUND', 'Nothing is known of this file')
        return { type: 'unwritten', error }
      }
      if (found.locked === 'user' && !deps.passwords.has(part.documentId)) return { type: 'locked' }
      let target: ServiceTarget
      try {
        target = await deps.accounts.target(part.accountId)
      } catch (error) {
        return { type: 'failed', error: asAppError(error), sent: false }
      }
      let files: readonly PartFile[]
      try {
        files = await filesOf(part, found, target)
      } catch (error) {
        if (wantsPassword(error)) return { type: 'locked' }
        return { type: 'unwritten', error: asAppError(error) }
      }
      const [file] = files
      if (!file || signal.aborted || store.part(part.id)?.state !== 'queued') {
        await Promise.all(files.map((one) => deps.parts.remove(one)))
        return { type: 'gone' }
      }
      if (files.length > 1) {
        splitUp(part, files)
        return { type: 'split' }
      }
      let again = false
      try {
        store.sent(part.id, { bytes: file.bytes })
        onSent()
        await call(part, found, file, target, signal)
        return { type: 'done' }
      } catch (error) {
        if (isStoreProblem(error) && !signal.aborted) throw error
        if (signal.aborted || store.part(part.id)?.state !== 'sent') return { type: 'gone' }
        if (!(error instanceof AppError)) throw error
        again = error.retriable
        return { type: 'failed', error, sent: true }
      } finally {
        if (again) keep(part.id, file)
        else await deps.parts.remove(file)
      }
    },
    async drop(partIds) {
      for (const id of partIds) {
        const file = retainedFiles.get(id)
        retainedFiles.delete(id)
        if (file) await deps.parts.remove(file)
      }
    },
  }
}

/** Errors on purpose as they are; others lose their text. */
function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  return new AppError('INTERNAL', 'Internal error', { cause: error })
}
