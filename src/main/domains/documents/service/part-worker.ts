import { textFormatOfMime, type TextFormat } from '../../../../shared/documents/text-formats.ts'
import type { BoxRegime, DocumentFacts, PartPlan } from '../../../../shared/model/document.ts'
import type { Answered, ServiceTarget } from '../../../provider-client/types.ts'
import type { TextResult } from '../../../provider-client/json-call.ts'
import type { Api } from '../../../provider-client/api.ts'
import { errorOf } from '../../../platform/workers/failed.ts'
import type { PageBlocks, ReplyRead } from '../worker/reading/reply.ts'
import type { DocumentTexts, DocumentWorker } from '../worker/work.ts'
import { AppError, toFailure } from '../../../errors.ts'
import type { MediaFiles } from '../../../platform/files/files.ts'
import type { DocumentsStore, PartRecord, PartReply } from '../store/documents-types.ts'
import type { Accounts } from '../../settings/index.ts'
import { packReply } from '../../../runs/pack-reply.ts'
import { isStoreProblem, persist } from '../../../platform/database/persist.ts'
import { wantsPassword, missingFailure } from './document-errors.ts'
import type { PartFile, PartFiles } from './part-files.ts'
import { createTurns } from './serial-work.ts'
import type { Context } from '../../../context.ts'

export interface PartWorkerDeps extends Pick<Context, 'clock' | 'ids' | 'log'> {
  readonly store: { readonly documents: DocumentsStore }
  readonly files: Pick<MediaFiles, 'path'>
  readonly parts: PartFiles
  /** Long responses are read off the main thread. */
  readonly texts: Pick<DocumentTexts, 'readReply'>
  /** Files that contain their text are read here. */
  readonly work: Pick<DocumentWorker, 'textPages'>
  readonly passwords: ReadonlyMap<string, string>
  readonly api: Pick<Api, 'layout'>
  readonly accounts: Pick<Accounts, 'target'>
}

/** Result of processing a part. */
type Outcome =
  | { readonly type: 'done' }
  /** It was replaced by other parts because its pages did not fit into one file. */
  | { readonly type: 'split' }
  /** It was canceled in the meantime, or its document was removed. */
  | { readonly type: 'gone' }
  /** The document's password is required. */
  | { readonly type: 'locked' }
  /** Its file could not be written; nothing was sent. */
  | { readonly type: 'unwritten'; readonly error: AppError }
  /** The account or the provider rejected it; `sent`: whether a request was counted. */
  | { readonly type: 'failed'; readonly error: AppError; readonly sent: boolean }

/** Processes one part and stores the result. */
interface PartWorker {
  /** `onSent` is called when the request starts. Throws errors that only the program or the store can cause. */
  send(part: PartRecord, signal: AbortSignal, onSent: () => void): Promise<Outcome>
  /** Removes the files of parts that will not be sent. */
  drop(partIds: readonly string[]): Promise<void>
}

/** Maximum number of files saved for another attempt, to avoid writing them again; each may have tens of megabytes. */
const maxRetainedFiles = 6

/** Creates the part worker; `closing` ends the wait for a failing store. */
export function createPartWorker(deps: PartWorkerDeps, closing: AbortSignal): PartWorker {
  const store = deps.store.documents
  const retainedFiles = new Map<string, PartFile>()
  /** Coordinate units of each account's responses, once a response showed them: resolves ambiguous responses. */
  const regimes = new Map<string, BoxRegime>()

  /** Stores responses that arrive at the same time one after the other. */
  const turn = createTurns()

  /** Writes with retries until the store works again: paid results must not be lost to a full disk. */
  const write = <T>(work: () => T): Promise<T> =>
    turn(() =>
      persist(work, closing, (error) =>
        deps.log.warn('failed to save a part, will retry', { code: error.code }),
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
    if (part.mediaId === null)
      throw new AppError('FILE_MISSING', 'The original file no longer exists')
    const path = await deps.files.path(part.mediaId)
    const password = deps.passwords.get(part.documentId) ?? null
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
    if (retainedFiles.size < maxRetainedFiles) retainedFiles.set(partId, file)
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
        // The queue does the retries, where the wait is visible and each attempt has a row.
        sendings: 1,
      },
      { signal },
      replyReader(deps.texts, { part, facts: found, known }),
    )
    const { regime } = answer.value
    if (regime !== null) regimes.set(part.accountId, regime)
    await keepReply(store, part.id, answer, { at: deps.clock(), write })
    // Emitting its events takes time as well.
    await turn(() => undefined)
  }

  /** Reads a part of a file that contains its text; nothing is sent. */
  const read = async (
    part: PartRecord,
    format: TextFormat,
    signal: AbortSignal,
    onSent: () => void,
  ): Promise<Outcome> => {
    if (signal.aborted || store.part(part.id)?.state !== 'queued') return { type: 'gone' }
    store.sent(part.id)
    onSent()
    try {
      if (part.mediaId === null)
        throw new AppError('FILE_MISSING', 'The original file no longer exists')
      const path = await deps.files.path(part.mediaId)
      const { first, last } = part
      const value = await deps.work.textPages({ path, format, first, last })
      if (signal.aborted || store.part(part.id)?.state !== 'sent') return { type: 'gone' }
      const raw = { status: 200, contentType: 'text/plain', body: '' }
      const answer = { value, raw, engine: value.model }
      await keepReply(store, part.id, answer, { at: deps.clock(), write })
      await turn(() => undefined)
      return { type: 'done' }
    } catch (error) {
      if (isStoreProblem(error) && !signal.aborted) throw error
      if (signal.aborted || store.part(part.id)?.state !== 'sent') return { type: 'gone' }
      if (!(error instanceof AppError)) throw error
      // Smaller parts would fail the same way: the file is read as a whole.
      if (error.code === 'CANCELLED') store.putBack(part.id)
      else store.fail(part.id, toFailure(error, deps.clock()), null)
      return { type: 'gone' }
    }
  }

  return {
    async send(part, signal, onSent) {
      const found = store.facts(part.documentId)
      if (!found) {
        const error = new AppError('NOT_FOUND', 'No properties of this file are known')
        return { type: 'unwritten', error }
      }
      const format = textFormatOfMime(found.mime)
      if (format) return read(part, format, signal, onSent)
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

/** Returns intended errors unchanged; others lose their message. */
function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  return new AppError('INTERNAL', 'Internal error', { cause: error })
}

/** Parameters for reading a response. */
interface ReplyOrder {
  readonly part: PartPlan
  readonly facts: DocumentFacts
  /** Returns the coordinate units of the account's earlier responses; called when the response is available. */
  known(): BoxRegime | null
}

/** Creates the client's reader for the response to a part sent as a separate file. The value throws as `readReplyText`. */
const replyReader =
  (texts: Pick<DocumentTexts, 'readReply'>, { part, facts, known }: ReplyOrder) =>
  async (body: string, model: string): Promise<TextResult<ReplyRead>> => {
    const { first, last } = part
    const { pages, sizes } = facts
    const reply = await texts.readReply({
      body,
      model,
      first,
      last,
      pages,
      sizes,
      known: known(),
    })
    if (reply.type === 'none') return { json: undefined, value: none }
    const { meta, read } = reply
    return {
      json: meta,
      value() {
        if ('type' in read) throw errorOf(read)
        return read
      },
    }
  }

const none = (): never => {
  throw new Error('Text that is not JSON has no value')
}

/** Undoes the staging; what cannot be undone now is replaced by the next response, or removed at the next start. */
function takeBack(store: Pick<DocumentsStore, 'unstage'>, partId: string): void {
  try {
    store.unstage(partId)
  } catch {
    // The document is gone or the store failed: the reason why the response was not stored is what counts.
  }
}

/** Runs one step of storing a response, each in its own turn. */
type Write = (work: () => unknown) => Promise<unknown>

/** Stores a parsed response: its blocks in batches, then everything else at once, which marks its pages as returned. */
async function keepReply(
  store: Pick<DocumentsStore, 'stage' | 'unstage' | 'reply'>,
  partId: string,
  { value, raw, engine }: Pick<Answered<ReplyRead>, 'value' | 'raw' | 'engine'>,
  how: { readonly at: number; readonly write: Write },
): Promise<void> {
  const reply: PartReply = {
    raw: (await packReply(raw)) ?? raw,
    markdown: value.markdown,
    engine: engine ?? value.model,
    pages: value.pages,
    missing: missingFailure(how.at),
    addresses: value.addresses,
    filled: value.filled,
    at: how.at,
  }
  try {
    for (const portion of value.portions)
      await how.write(() => store.stage(partId, JSON.parse(portion) as PageBlocks[]))
    await how.write(() => store.reply(partId, reply))
  } catch (error) {
    takeBack(store, partId)
    throw error
  }
}
