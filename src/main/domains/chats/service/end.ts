import { setImmediate } from 'node:timers/promises'
import type { Failure } from '../../../../shared/contract/reply.ts'
import { closeAnswer, type AnswerSoFar } from '../../../../shared/chats/answer.ts'
import { type AnswerStep } from '../../../../shared/chats/answer-step.ts'
import {
  type AnswerPart,
  beginningOf,
  createStepBudget,
  partUnits,
  shownSteps,
  shownUnits,
  type Shortened,
} from '../../../../shared/chats/shown-answer.ts'
import { chunksOf, stepsJson } from '../../../../shared/chats/steps-json.ts'
import { createMaskedFragments, withoutHalfKey } from '../../../provider-client/masked-fragments.ts'
import { AppError, toFailure } from '../../../errors.ts'
import type { Redactor } from '../../../platform/security/redact.ts'
import { drawingsOf } from '../store/chats-media.ts'
import type { AnswerEnd } from '../store/chats-types.ts'
import { mayHaveBeenReceived } from '../../../work-queue/retry-policy.ts'
import { leftUnfinished } from '../../../runs/run-end.ts'
import { charsOf } from '../../../runs/event-log.ts'
import type { ServiceAnswer } from './ask-provider.ts'

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
interface EndDeps extends Pick<Redactor, 'maskKnown' | 'openEnd'> {
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

type Keys = Pick<Redactor, 'maskKnown' | 'openEnd'>

/**
 * Returns an answer without keys, as its message contains it. The rest of the text and all steps of a longer answer are passed
 * to `savePart` in parts, each as soon as it is ready. Yields to the main thread between the chunks of a long one.
 */
async function maskedAnswer(
  { text, steps }: AnswerSoFar,
  keys: Keys,
  savePart: (part: AnswerPart) => Promise<void>,
): Promise<Pick<AnswerEnd, 'text' | 'steps' | 'shortened' | 'drawings'>> {
  const beginning = await maskBeginning(chunksOf(text), keys, shownUnits.text)
  const length = await saveInParts(beginning.rest, 'text', beginning.text.length, savePart)
  const budget = createStepBudget(undefined, (cut) => withoutHalfKey(keys, cut))
  const shown = charsOf(steps) > shownUnits.steps ? shownSteps(steps, budget) : steps
  if (budget.isExceeded) await saveInParts(maskChunks(stepsJson(steps), keys), 'steps', 0, savePart)
  const isShortened = length > beginning.text.length || budget.isExceeded
  const shortened: Shortened = { text: length, steps: budget.isExceeded }
  const json = await maskBeginning(stepsJson(shown), keys, Infinity)
  return {
    text: beginning.text,
    steps: JSON.parse(json.text) as readonly AnswerStep[],
    ...(isShortened && { shortened, drawings: drawingsOf(steps) }),
  }
}

/** Returns the beginning of a text without keys, up to `units` UTF-16 units, and the chunks after it. */
async function maskBeginning(
  from: Iterable<string>,
  keys: Keys,
  units: number,
): Promise<{ readonly text: string; readonly rest: AsyncIterable<string> }> {
  const chunks = maskChunks(from, keys)
  let text = ''
  for (;;) {
    const next = await chunks.next()
    if (next.done) return { text, rest: chunks }
    const fits = beginningOf(next.value, units - text.length)
    text += fits
    if (fits !== next.value) return { text, rest: prepend(next.value.slice(fits.length), chunks) }
  }
}

async function* prepend(first: string, chunks: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* chunks
}

/** Saves chunks as parts; returns the position after the last one, in UTF-16 units. */
async function saveInParts(
  chunks: AsyncIterable<string>,
  kind: AnswerPart['kind'],
  from: number,
  savePart: (part: AnswerPart) => Promise<void>,
): Promise<number> {
  let start = from
  let pending = ''
  const save = async (text: string): Promise<void> => {
    await savePart({ kind, start, text })
    start += text.length
    pending = ''
  }
  for await (const chunk of chunks) {
    pending = pending === '' ? chunk : pending + chunk
    if (pending.length >= partUnits && !endsInSurrogatePair(pending)) await save(pending)
  }
  if (pending !== '') await save(pending)
  return start
}

/** Masks the keys in a text that is passed in chunks; yields chunks of other lengths. */
async function* maskChunks(chunks: Iterable<string>, keys: Keys): AsyncGenerator<string> {
  let masked: string[] = []
  const fragments = createMaskedFragments(keys, (fragment) => masked.push(fragment))
  let pending = ''
  for (const chunk of chunks) {
    pending = pending === '' ? chunk : pending + chunk
    if (pending.length < partUnits) continue
    fragments.add(pending)
    pending = ''
    yield* masked
    masked = []
    await setImmediate()
  }
  fragments.add(pending)
  fragments.end()
  yield* masked
}

/** Whether a text ends between the two units of a surrogate pair. */
function endsInSurrogatePair(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}
