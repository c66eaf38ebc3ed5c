import type { ErrorCode } from '../../../../shared/contract/reply.ts'
import { answerFold, type AnswerEvent } from '../../../../shared/chats/answer.ts'
import type { ChatMessage, ChatSettings, ChatAttachment } from '../../../../shared/model/chat.ts'
import { StreamBroken } from '../../../provider-client/stream-broken.ts'
import type { ServiceTarget } from '../../../provider-client/types.ts'
import type { StreamWriter } from '../../../platform/bridge/streams.ts'
import { AppError } from '../../../errors.ts'
import type { InputFile } from '../../../operations/operation.ts'
import type { GivenTexts } from '../../documents/index.ts'
import { createEventLog } from '../../../runs/event-log.ts'
import { persist } from '../../../platform/database/persist.ts'
import { refuseImported } from './check-question.ts'
import { contentOf } from './content.ts'
import { saveDrawings } from './drawn-images.ts'
import { endOf, type Outcome, type StoppedBy } from './end.ts'
import { joinEvents, createMaskedText } from './answer-events.ts'
import { type Plan, resending } from './plan.ts'
import { askAssistant, askAgent, type ServiceAnswer } from './ask-provider.ts'
import type { ChatsDeps } from './chat-service-types.ts'
import { uploadFiles, withoutFileIds } from './uploads.ts'
import type { Context } from '../../../context.ts'

export interface AnswerDeps extends QuestionDeps, Pick<Context, 'mask' | 'openEnd'> {
  /** Fires when Lectern closes. */
  readonly closing: AbortSignal
  /** Fires when the end of this answer need not be saved: its conversation is about to be deleted. */
  readonly givingUp: AbortSignal
}

/** An answer whose row has been created. */
export interface Started {
  readonly answer: ChatMessage
  readonly questionId: string
  readonly accountId: string
  /** Owner of the session of the plan and of the files it names. */
  readonly holder: string
  readonly settings: ChatSettings
  readonly plan: Plan
  readonly writer: StreamWriter
  /** Called for the first event of the answer. */
  readonly onResponse?: (() => void) | undefined
}

/**
 * Runs an answer to an end that is stored and then reported. Content is stored before any page receives it, and saved in
 * every state. The stream always ends. A stop does not wait for the network.
 */
export async function runAnswer(
  deps: AnswerDeps,
  started: Started,
  signal: AbortSignal,
): Promise<ChatMessage> {
  const { store, clock, log, closing } = deps
  const enough = AbortSignal.any([closing, deps.givingUp])
  const { answer, writer } = started
  /** Fires when received content can no longer be saved. */
  const failing = new AbortController()
  const stopping = AbortSignal.any([signal, failing.signal])
  const trouble = (error: AppError): void =>
    log.warn('failed to save an answer, will retry', { code: error.code })
  const soFar = answerFold()
  let over = false
  const events = createEventLog({
    store: (batch, given) =>
      store.chats.appendEvents(answer.id, batch, given as readonly AnswerEvent[]),
    emit: (batch) => writer.events(batch),
    onTrouble: trouble,
    onBroken(error) {
      log.error('failed to save the events of an answer', { error })
      failing.abort(error)
    },
    mask: deps.mask,
    join(given) {
      const joined = joinEvents(given as readonly AnswerEvent[])
      for (const event of joined) soFar.take(event)
      return joined
    },
  })
  const keys = { maskKnown: deps.mask, openEnd: deps.openEnd }
  const words = createMaskedText(keys, events.add)
  let hasResponded = false
  const emit = (event: AnswerEvent): void => {
    if (over) return
    if (!hasResponded) started.onResponse?.()
    hasResponded = true
    words.add(event)
  }

  const by = (): StoppedBy => (signal.aborted ? (closing.aborted ? 'closing' : 'reader') : 'nobody')
  const outcome = await requestAnswer(deps, started, emit, stopping, by)
  over = true
  words.end()
  if (!outcome.ok && outcome.by === 'nobody' && !(outcome.thrown instanceof AppError))
    log.error('an answer failed', { error: outcome.thrown })
  const at = clock()
  try {
    await events.settle(enough)
    const end = await endOf(soFar.answer, outcome, started.plan.sessionId, at, {
      ...keys,
      savePart: (part) => persist(() => store.chats.savePart(answer.id, part), enough, trouble),
    })
    const settled = await persist(() => store.chats.settle(answer.id, end), enough, trouble)
    if (settled.error) writer.fail(settled.error)
    else if (settled.state === 'stopped') writer.fail(stopped(at))
    else writer.end()
    return settled
  } catch (error) {
    // A store that is gone is read at the next start, which marks such answers as broken.
    writer.fail({ code: 'INTERNAL', message: 'The answer was not saved', retriable: false, at })
    throw error
  }
}

/** Requests the answer. The partial result of a failure is released: the events contain everything received until then. */
async function requestAnswer(
  deps: QuestionDeps,
  started: Started,
  emit: (event: AnswerEvent) => void,
  signal: AbortSignal,
  by: () => StoppedBy,
): Promise<Outcome> {
  let requested = false
  try {
    const work = question(deps, started, emit, signal, () => (requested = true))
    return { ok: true, answer: await unlessStopped(work, signal) }
  } catch (error) {
    const thrown = error instanceof StreamBroken ? error.reason : error
    return { ok: false, thrown, by: by(), requested }
  }
}

const stopped = (at: number) =>
  ({ code: 'CANCELLED', message: 'Stopped', retriable: true, at }) as const

/** Returns the work, or rejects as soon as the signal fires: a connection may take time to notice. */
function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new AppError('CANCELLED', 'Stopped'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

interface QuestionDeps extends Pick<
  ChatsDeps,
  | 'store'
  | 'files'
  | 'api'
  | 'accounts'
  | 'remote'
  | 'clock'
  | 'ids'
  | 'log'
  | 'countPages'
  | 'emit'
> {
  readonly texts: Pick<GivenTexts, 'text'>
  /** Sessions in which a question was refused without a clear reason. */
  readonly doubted: Set<string>
}

/** Error codes with which a provider may report an unknown session or uploaded file. */
const unknownThere: ReadonlySet<ErrorCode> = new Set([
  'SERVICE_NOT_FOUND',
  'INVALID_INPUT',
  'SERVICE_FAILED',
])

/** Words in a refusal that concern the session or a file, not the question. */
const aboutOld = /session|conversation|\bfile|attachment|会话|对话|文件|附件/i

/** Whether a refusal may concern the session or a file: its text says so, or it is the second one in this session. */
function mayMeanOld(error: AppError, sessionId: string | null, doubted: Set<string>): boolean {
  if (!unknownThere.has(error.code)) return false
  if (error.code === 'SERVICE_NOT_FOUND' || aboutOld.test(error.service?.message ?? '')) return true
  if (sessionId === null) return false
  const isAgain = doubted.has(sessionId)
  doubted.add(sessionId)
  return isAgain
}

/**
 * Sends the question: documents and images with it, files uploaded before. A session or file that the provider no longer
 * knows is created or uploaded again, once; after any other refusal the session stays, and nothing is sent again. Throws
 * AppError; content received before was already emitted.
 */
async function question(
  deps: QuestionDeps,
  started: Started,
  emit: (event: AnswerEvent) => void,
  signal: AbortSignal,
  onRequest: () => void,
): Promise<ServiceAnswer> {
  const { store } = deps
  const found = store.chats.message(started.questionId)
  if (!found) throw new AppError('NOT_FOUND', 'The question no longer exists')
  refuseImported(found.attachments)
  const target = await deps.accounts.target(started.accountId)
  signal.throwIfAborted()
  // The key may have changed meanwhile.
  const isSame = store.accounts.holder(started.accountId) === started.holder
  // IDs of files uploaded by another account, or by this one with another key, are invalid here.
  const isOwn = isSame && store.chats.holderOf(found.id) === started.holder
  const questionMessage = isOwn
    ? found
    : { ...found, attachments: withoutFileIds(found.attachments) }
  const plan = isSame ? started.plan : resending(store, questionMessage, started.accountId)
  let received = false
  const noted = (event: AnswerEvent): void => {
    received ||= event.t !== 'session'
    emit(event)
  }
  try {
    const answer = await once(
      deps,
      started,
      questionMessage,
      plan,
      target,
      noted,
      signal,
      onRequest,
    )
    if (plan.sessionId !== null) deps.doubted.delete(plan.sessionId)
    return isSame ? answer : { ...answer, resentTurns: plan.turns.length }
  } catch (error) {
    const { sessionId, earlier } = plan
    const isOld =
      sessionId !== null || [...questionMessage.attachments, ...earlier].some(isUploaded)
    if (received || !isOld || !(error instanceof AppError)) throw error
    if (!mayMeanOld(error, sessionId, deps.doubted)) throw error
    const second = withoutFiles(resending(store, questionMessage, started.accountId))
    const resent = { ...questionMessage, attachments: withoutFileIds(questionMessage.attachments) }
    const answer = await once(deps, started, resent, second, target, noted, signal, onRequest)
    return { ...answer, resentTurns: second.turns.length }
  }
}

async function once(
  deps: QuestionDeps,
  { settings, accountId, holder }: Started,
  questionMessage: ChatMessage,
  { sessionId, turns, earlier }: Plan,
  target: ServiceTarget,
  emit: (event: AnswerEvent) => void,
  signal: AbortSignal,
  onRequest: () => void,
): Promise<ServiceAnswer> {
  const file = (id: string): Promise<InputFile> => inputFileOf(deps, id)
  const keep = (attachments: readonly ChatAttachment[]): void => {
    if (
      signal.aborted ||
      JSON.stringify(attachments) === JSON.stringify(questionMessage.attachments)
    )
      return
    deps.emit({
      type: 'chat.message',
      message: deps.store.chats.setState(questionMessage.id, {
        state: questionMessage.state,
        attachments,
        holder,
      }),
    })
  }
  const parts = {
    text: questionMessage.text,
    attachments: questionMessage.attachments,
    turns,
    earlier,
    target,
  }
  const { message, attachments } = await contentOf({ ...deps, file }, parts)
  keep(attachments)
  const uploaded = await uploadFiles({ ...deps, file }, attachments, target, signal, keep)
  const there = earlier.filter((each) => each.kind === 'file' && deps.store.media.get(each.mediaId))
  const known = await uploadFiles({ ...deps, file }, there, target, signal, () => undefined)
  signal.throwIfAborted()
  const files = [...uploaded, ...known].flatMap((each) =>
    each.kind === 'file' && each.fileId !== null ? [each.fileId] : [],
  )
  const now = deps.clock
  onRequest()
  const common = { api: deps.api, target, message, files, sessionId, signal, now, emit }
  if (settings.kind === 'agent') return askAgent({ ...common, settings })
  return askAssistant({
    ...common,
    settings,
    saveDrawings: (calls) => saveDrawings(deps, calls, accountId, signal),
  })
}

/** Removes the files uploaded for earlier questions: they may be what the provider does not know. */
const withoutFiles = (plan: Plan): Plan => ({
  ...plan,
  earlier: plan.earlier.filter(({ kind }) => kind !== 'file'),
})

const isUploaded = (each: ChatAttachment): boolean => each.kind === 'file' && each.fileId !== null

async function inputFileOf(
  { store, files, countPages }: Pick<QuestionDeps, 'store' | 'files' | 'countPages'>,
  id: string,
): Promise<InputFile> {
  const media = store.media.get(id)
  if (!media) throw new AppError('FILE_MISSING', 'The file no longer exists')
  const { inputFile } = await import('../../../operations/input-file.ts')
  return inputFile(await files.path(id), countPages, media.name)
}
