import { closeAnswer } from '../../../shared/chat/answer.ts'
import type { AnswerSoFar } from '../../../shared/chat/answer.ts'
import type { AnswerPart } from '../../../shared/chat/shown-answer.ts'
import type { Failure } from '../../../shared/bridge/reply.ts'
import { AppError, toFailure } from '../../errors.ts'
import type { AnswerEnd } from '../../store/chats-types.ts'
import { mayHaveBeenReceived } from '../accounts/arrival.ts'
import { leftUnfinished } from '../runs/end.ts'
import type { Redactor } from '../../security/redact.ts'
import { maskedAnswer } from './masked-answer.ts'
import type { ServiceAnswer } from './service-answer.ts'

/** Cause of an answer that was interrupted. */
export type StoppedBy = 'nobody' | 'reader' | 'closing'

/** Outcome of an answer apart from its events: the final report of the provider, or the thrown error. */
export type Outcome =
  | { readonly ok: true; readonly answer: ServiceAnswer }
  | {
      readonly ok: false
      readonly thrown: unknown
      readonly by: StoppedBy
      /** False when the answer ended before the question was sent. */
      readonly requested?: boolean
    }

/** Maximum length of a saved name or notice; the same limit applies on import. */
const maxNameLength = 1000

/** Values of an answer without any report. */
const emptyAnswer: ServiceAnswer = {
  sessionId: null,
  serviceMessageId: null,
  model: null,
  finishReason: null,
  engine: null,
  notice: null,
  requestId: null,
  usage: null,
}

/** Masking of keys, and saving of the parts of an answer that is too long for its message. */
export interface EndDeps extends Pick<Redactor, 'maskKnown' | 'openEnd'> {
  savePart(part: AnswerPart): Promise<void>
}

/**
 * Computes the end of an answer: received content is saved in every state, as one text and its steps, without keys.
 * `requestedSessionId` is the session that was used. The session of an answer that the provider may know is saved, so that
 * the chat does not continue from an earlier point.
 */
export async function endOf(
  soFar: AnswerSoFar,
  outcome: Outcome,
  requestedSessionId: string | null,
  at: number,
  deps: EndDeps,
): Promise<AnswerEnd> {
  /** Masks and truncates names, whose length the provider controls. */
  const masked = (text: string | null): string | null =>
    text === null ? null : deps.maskKnown(text).slice(0, maxNameLength).toWellFormed()
  const received = { ...(await maskedAnswer(closeAnswer(soFar, at), deps, deps.savePart)), at }
  if (outcome.ok) {
    const { answer } = outcome
    return {
      ...answer,
      ...received,
      state: 'done',
      engine: masked(answer.engine),
      notice: masked(answer.notice),
      requestId: masked(answer.requestId),
      model: masked(answer.model),
      finishReason: masked(answer.finishReason),
      serviceMessageId: masked(answer.serviceMessageId),
      sessionId: answer.sessionId ?? soFar.sessionId,
      error: null,
    }
  }
  const { thrown, by } = outcome
  const error = failureOf(thrown, by, at)
  const something = received.text !== '' || received.steps.length > 0
  const mayKnow = something || soFar.sessionId !== null || isUnknown(error, outcome)
  return {
    ...emptyAnswer,
    ...received,
    state: by === 'reader' ? 'stopped' : something || by === 'closing' ? 'broken' : 'failed',
    sessionId: mayKnow ? (soFar.sessionId ?? requestedSessionId) : null,
    requestId: error?.service?.requestId ?? null,
    error: by === 'reader' ? null : error,
  }
}

/** Returns the failure of an answer. */
function failureOf(thrown: unknown, by: StoppedBy, at: number): Failure {
  if (by === 'closing') return toFailure(leftUnfinished(), at)
  return toFailure(
    thrown instanceof AppError ? thrown : new AppError('INTERNAL', 'Internal error'),
    at,
  )
}

const isUnknown = (error: Failure, outcome: Outcome & { readonly ok: false }): boolean =>
  outcome.requested !== false && (outcome.by !== 'nobody' || mayHaveBeenReceived(error))

/** End of an answer left by an earlier run of Lectern: its content, marked as interrupted. */
export const endOfLeft = (
  soFar: AnswerSoFar,
  requestedSessionId: string | null,
  at: number,
  deps: EndDeps,
): Promise<AnswerEnd> =>
  endOf(soFar, { ok: false, thrown: leftUnfinished(), by: 'closing' }, requestedSessionId, at, deps)
