import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import type { RawReply } from '../../api/answer.ts'
import { StreamBroken } from '../../api/stream-broken.ts'
import { TranscriptionCut } from '../../api/transcription-cut.ts'
import { AppError, toFailure } from '../../errors.ts'
import type { RunEnd, RunReply } from '../../store/types.ts'

const deflate = promisify(deflateRaw)

/** Replies longer than this (UTF-16 units) are kept deflated; shorter ones stay text that any SQLite tool can read. */
const packAbove = 1024 * 1024

/** The reply as it is kept; deflating a long one happens beside the main thread. Null for an empty one, which says nothing. */
export async function packReply(raw: RawReply | null): Promise<RunReply | null> {
  if (raw === null || raw.body === '') return null
  if (raw.body.length <= packAbove) return raw
  return { ...raw, body: await deflate(raw.body, { level: 1 }) }
}

/** Who ended a run that did not come to its own end. */
export type StoppedBy = 'nobody' | 'user' | 'closing'

/** How a run that threw is kept: with what had come, and why it ended. */
export async function endOf(thrown: unknown, stoppedBy: StoppedBy, at: number): Promise<RunEnd> {
  const error =
    thrown instanceof AppError
      ? thrown
      : new AppError('INTERNAL', 'Internal error', { cause: thrown })
  const came = whatCame(thrown)
  const reply = await packReply(came?.raw ?? null)
  return {
    state: stateOf(error, stoppedBy),
    at,
    error: toFailure(
      stoppedBy === 'closing' ? new AppError('CANCELLED', 'Lectern was closed') : error,
      at,
    ),
    ...(error.service?.requestId !== undefined && { requestId: error.service.requestId }),
    ...(came && { value: came.value }),
    ...(reply && { reply }),
  }
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
