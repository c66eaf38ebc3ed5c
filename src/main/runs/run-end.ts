import type { Failure } from '../../shared/contract/reply.ts'
import type { Answered, RawReply } from '../provider-client/types.ts'
import { StreamBroken, TranscriptionCut } from '../provider-client/stream-broken.ts'
import { AppError, toFailure } from '../errors.ts'
import type { RunEnd } from '../library-database/types.ts'

/** Source of the stop of a run that did not end normally. */
export type StoppedBy = 'nobody' | 'user' | 'closing'

/** A run's end with the data to save. */
export interface Ending {
  readonly end: RunEnd
  /** Null if nothing was received. */
  readonly value: unknown
  readonly raw: RawReply | null
}

/** The end of a run with a response. */
export function endWell(
  answer: Answered<unknown>,
  at: number,
  mask: (text: string) => string,
): Ending {
  const { value, usage, raw } = answer
  const masked = (text: string | null): string | null => (text === null ? null : mask(text))
  const details = {
    requestId: masked(answer.requestId) || null,
    engine: masked(answer.engine),
    notice: masked(answer.notice),
  }
  return { end: { state: 'done', at, ...details, usage }, value, raw }
}

/** The end of a run that threw: with the data received so far, and the reason. */
export function endBadly(thrown: unknown, stoppedBy: StoppedBy, at: number): Ending {
  const error =
    thrown instanceof AppError
      ? thrown
      : new AppError('INTERNAL', 'Internal error', { cause: thrown })
  const reported = stoppedBy === 'closing' ? leftUnfinished() : error
  const requestId = error.service?.requestId
  const end: RunEnd = {
    state: stateOf(error, stoppedBy),
    at,
    error: withoutPlace(toFailure(reported, at)),
    ...(requestId !== undefined && { requestId }),
  }
  return { value: null, raw: null, ...partialReply(thrown), end }
}

/** The error of a run that Lectern did not finish. */
export const leftUnfinished = (): AppError =>
  new AppError('LEFT_UNFINISHED', 'Lectern quit while this was running')

/** Removes the path of a partial file: it becomes a file of the run, and its location is irrelevant. */
function withoutPlace(failure: Failure): Failure {
  const { part: _, ...params } = failure.params ?? {}
  return failure.params ? { ...failure, params } : failure
}

function stateOf(error: AppError, stoppedBy: StoppedBy): RunEnd['state'] {
  if (stoppedBy === 'closing') return 'broken'
  if (stoppedBy === 'user' || error.code === 'CANCELLED') return 'cancelled'
  return error.code === 'STREAM_CUT' ? 'broken' : 'failed'
}

/** Data that a stream had received before it broke off. */
function partialReply(error: unknown): { readonly value: unknown; readonly raw: RawReply } | null {
  if (error instanceof TranscriptionCut) return { value: { text: error.text }, raw: error.raw }
  if (error instanceof StreamBroken) return { value: error.partial, raw: error.raw }
  return null
}
