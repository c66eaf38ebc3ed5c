import { answerFold } from '../../../shared/chat/answer.ts'
import type { AnswerEvent } from '../../../shared/chat/answer.ts'
import type { ChatMessage, ChatSettings } from '../../../shared/model/chat.ts'
import type { StreamWriter } from '../../bridge/streams.ts'
import { StreamBroken } from '../../api/stream-broken.ts'
import { AppError } from '../../errors.ts'
import { createEventLog } from '../runs/event-log.ts'
import { persist } from '../transcribe/persist.ts'
import { endOf } from './end.ts'
import type { Outcome, StoppedBy } from './end.ts'
import { joinEvents } from './join-events.ts'
import { createMaskedText } from './masked-text.ts'
import type { Plan } from './plan.ts'
import { question } from './question.ts'
import type { QuestionDeps } from './question.ts'

export interface AnswerDeps extends QuestionDeps {
  mask(text: string): string
  openEnd(text: string): number
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
  const emit = (event: AnswerEvent): void => {
    if (!over) words.add(event)
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
    else writer.end('')
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
