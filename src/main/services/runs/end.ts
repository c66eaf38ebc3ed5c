import type { RunFile } from '../../../shared/model/run.ts'
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
export function endWell(answer: Answered<unknown>, files: readonly RunFile[], at: number): Ending {
  const { value, requestId, engine, notice, usage, raw } = answer
  const told = { requestId: requestId === '' ? null : requestId, engine, notice, usage }
  return { end: { state: 'done', at, ...told, files }, value, raw }
}

/** How a run that threw ends: with what had come, and why. */
export function endBadly(thrown: unknown, stoppedBy: StoppedBy, at: number): Ending {
  const error =
    thrown instanceof AppError
      ? thrown
      : new AppError('INTERNAL', 'Internal error', { cause: thrown })
  const told = stoppedBy === 'closing' ? new AppError('CANCELLED', 'Lectern was closed') : error
  const requestId = error.service?.requestId
  const end: RunEnd = {
    state: stateOf(error, stoppedBy),
    at,
    error: toFailure(told, at),
    ...(requestId !== undefined && { requestId }),
  }
  return { value: null, raw: null, ...whatCame(thrown), end }
}

function stateOf(error: AppError, stoppedBy: StoppedBy): RunEnd['state'] {
  if (stoppedBy === 'closing') return 'broken'
  if (stoppedBy === 'user' || error.code === 'CANCELLED') return 'cancelled'
  return error.code === 'STREAM_CUT' ? 'broken' : 'failed'
}

/** What a stream had brought before it broke off. */
function whatCame(error: unknown): { readonly value: unknown; readonly raw: RawReply } | null {
  if (error instanceof StreamBroken) return { value: error.partial, raw: error.raw }
  if (error instanceof TranscriptionCut) return { value: { text: error.text }, raw: error.raw }
  return null
}
