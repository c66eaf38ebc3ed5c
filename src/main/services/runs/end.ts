import type { Failure } from '../../../shared/bridge/reply.ts'
import type { Answered, RawReply } from '../../api/answer.ts'
import { StreamBroken } from '../../api/stream-broken.ts'
import { TranscriptionCut } from '../../api/transcription-cut.ts'
import { AppError, toFailure } from '../../errors.ts'
import type { RunEnd } from '../../store/types.ts'

/** Who ended a run that did not come to its own end. */
export type StoppedBy = 'nobody' | 'user' | 'closing'

/** A run's end with what there is to keep of it. */
export interface Ending {
  readonly end: RunEnd
  /** Null where nothing came. */
  readonly value: unknown
  readonly raw: RawReply | null
}

/** How a run that was answered ends. */
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

/** How a run that threw ends: with what had come, and why. */
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

/** Why a run is broken that Lectern did not live to end. */
export const leftUnfinished = (): AppError =>
  new AppError('LEFT_UNFINISHED', 'Lectern ended while this was running')

/** What a broken stream left on the disk becomes a file of the run; where it lay is of no use to anybody. */
function withoutPlace(failure: Failure): Failure {
  const { part: _, ...params } = failure.params ?? {}
  return failure.params ? { ...failure, params } : failure
}

function stateOf(error: AppError, stoppedBy: StoppedBy): RunEnd['state'] {
  if (stoppedBy === 'closing') return 'broken'
  if (stoppedBy === 'user' || error.code === 'CANCELLED') return 'cancelled'
  return error.code === 'STREAM_CUT' ? 'broken' : 'failed'
}

/** What a stream had brought before it broke off. */
function partialReply(error: unknown): { readonly value: unknown; readonly raw: RawReply } | null {
  if (error instanceof TranscriptionCut) return { value: { text: error.text }, raw: error.raw }
  if (error instanceof StreamBroken) return { value: error.partial, raw: error.raw }
  return null
}
