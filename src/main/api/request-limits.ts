import { AppError } from '../errors.ts'
import type { ServiceTarget, TranscriptionRequest } from './types.ts'

/**
 * Refuses what the service would refuse (spec 4.14 and 8), before a byte is sent. The error's params name the thing, the
 * limit and the value: bytes for FILE_TOO_LARGE, seconds for AUDIO_TOO_LONG, items or characters for LIMIT_EXCEEDED.
 * The length the service only recommends for the prior context is held too: what it does beyond is not known.
 */
export function checkTranscription(request: TranscriptionRequest, target: ServiceTarget): void {
  const { file, hotwords } = request
  const limits = target.limits.transcription
  if (file.bytes === 0)
    throw new AppError('EMPTY_FILE', 'The sound file is empty.', { params: { name: file.name } })
  if (file.bytes > limits.bytes)
    throw over('FILE_TOO_LARGE', 'file', limits.bytes, file.bytes, { name: file.name })
  if (file.seconds > limits.seconds)
    throw over('AUDIO_TOO_LONG', 'audio', limits.seconds, Math.round(file.seconds * 100) / 100, {
      name: file.name,
    })
  if (hotwords.length > limits.hotwords)
    throw over('LIMIT_EXCEEDED', 'hotwords', limits.hotwords, hotwords.length)
  if (request.prompt.length > limits.promptChars)
    throw over('LIMIT_EXCEEDED', 'prompt', limits.promptChars, request.prompt.length)
}

/** Refuses a request id outside the 6 to 64 characters of spec 8. */
export function checkRequestId(requestId: string, target: ServiceTarget): void {
  const { min, max } = target.limits.requestId
  if (requestId.length > max) throw over('LIMIT_EXCEEDED', 'request_id', max, requestId.length)
  if (requestId.length < min)
    throw new AppError('LIMIT_EXCEEDED', 'The request id is too short.', {
      params: { what: 'request_id', limit: min, value: requestId.length },
    })
}

function over(
  code: 'FILE_TOO_LARGE' | 'AUDIO_TOO_LONG' | 'LIMIT_EXCEEDED',
  what: string,
  limit: number,
  value: number,
  more: Readonly<Record<string, string>> = {},
): AppError {
  return new AppError(code, `The ${what} is over the limit: ${value} of ${limit}.`, {
    params: { what, limit, value, ...more },
  })
}
