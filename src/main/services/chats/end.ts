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

/** Who ended an answer that did not come to its own end. */
export type StoppedBy = 'nobody' | 'reader' | 'closing'

/** What an answer came to beside its events: what the service told at the end, or what was thrown. */
export type Outcome =
  | { readonly ok: true; readonly answer: ServiceAnswer }
  | {
      readonly ok: false
      readonly thrown: unknown
      readonly by: StoppedBy
      /** False when it ended before the question itself was on its way. */
      readonly asked?: boolean
    }

/** Characters of a name or a notice that are kept; what is read in again may have as many. */
const maxNameLength = 1000

/** Nothing was told. */
const untold: ServiceAnswer = {
  sessionId: null,
  serviceMessageId: null,
  model: null,
  finishReason: null,
  engine: null,
  notice: null,
  requestId: null,
  usage: null,
}

/** Keys to mask, and where the parts of an answer go that is too long for its message. */
export interface EndParts extends Pick<Redactor, 'maskKnown' | 'openEnd'> {
  keep(part: AnswerPart): Promise<void>
}

/**
 * How an answer ends: what came is kept in every state, as one text and its steps, without keys. `asked` is the session it was asked
 * in. The session of an answer that the service may know of is kept, so that nobody goes on with it from further back.
 */
export async function endOf(
  soFar: AnswerSoFar,
  outcome: Outcome,
  asked: string | null,
  at: number,
  parts: EndParts,
): Promise<AnswerEnd> {
  /** Names that a service may make as long as it likes. */
  const masked = (text: string | null): string | null =>
    text === null ? null : parts.maskKnown(text).slice(0, maxNameLength).toWellFormed()
  const came = { ...(await maskedAnswer(closeAnswer(soFar, at), parts, parts.keep)), at }
  if (outcome.ok) {
    const { answer } = outcome
    return {
      ...answer,
      ...came,
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
  const something = came.text !== '' || came.steps.length > 0
  const mayKnow = something || soFar.sessionId !== null || isUnknown(error, outcome)
  return {
    ...untold,
    ...came,
    state: by === 'reader' ? 'stopped' : something || by === 'closing' ? 'broken' : 'failed',
    sessionId: mayKnow ? (soFar.sessionId ?? asked) : null,
    requestId: error?.service?.requestId ?? null,
    error: by === 'reader' ? null : error,
  }
}

/** Why an answer ended badly. */
function failureOf(thrown: unknown, by: StoppedBy, at: number): Failure {
  if (by === 'closing') return toFailure(leftUnfinished(), at)
  return toFailure(
    thrown instanceof AppError ? thrown : new AppError('INTERNAL', 'Internal error'),
    at,
  )
}

const isUnknown = (error: Failure, outcome: Outcome & { readonly ok: false }): boolean =>
  outcome.asked !== false && (outcome.by !== 'nobody' || mayHaveBeenReceived(error))

/** An answer that an earlier run of Lectern left: what it brought, broken off. */
export const endOfLeft = (
  soFar: AnswerSoFar,
  asked: string | null,
  at: number,
  parts: EndParts,
): Promise<AnswerEnd> =>
  endOf(soFar, { ok: false, thrown: leftUnfinished(), by: 'closing' }, asked, at, parts)
