import { charactersOf, isLonger } from '../../shared/text/characters.ts'
import { AppError } from '../errors.ts'
import type { ServiceTarget, TranscriptionRequest } from './types.ts'

/**
 * Rejects requests the provider would reject (service-notes 4 and 16) before a byte is sent. The error's params name the
 * field, the limit and the value: bytes for FILE_TOO_LARGE, seconds for AUDIO_TOO_LONG, items or characters for
 * LIMIT_EXCEEDED. The length that the provider only recommends for the prior context is enforced too, since its behavior
 * beyond it is unknown.
 */
export function checkTranscription(request: TranscriptionRequest, target: ServiceTarget): void {
  const { file, hotwords } = request
  const limits = target.limits.transcription
  if (file.bytes === 0)
    throw new AppError('EMPTY_FILE', 'The audio file is empty.', { params: { name: file.name } })
  if (file.bytes > limits.bytes)
    throw over('FILE_TOO_LARGE', 'file', limits.bytes, file.bytes, { name: file.name })
  if (file.seconds > limits.seconds)
    throw over('AUDIO_TOO_LONG', 'audio', limits.seconds, Math.round(file.seconds * 100) / 100, {
      name: file.name,
    })
  if (hotwords.length > limits.hotwords)
    throw over('LIMIT_EXCEEDED', 'hotwords', limits.hotwords, hotwords.length)
  if (isLonger(request.prompt, limits.promptChars))
    throw over('LIMIT_EXCEEDED', 'prompt', limits.promptChars, charactersOf(request.prompt))
  checkUserId(request.userId, target)
}

/** Rejects a request ID outside the 6 to 64 characters of service-notes 16. */
export function checkRequestId(requestId: string, target: ServiceTarget): void {
  checkLength('request_id', requestId, target.limits.requestId)
}

/** Rejects an end-user ID outside the 6 to 128 characters of service-notes 16; a missing one is allowed. */
export function checkUserId(userId: string | undefined, target: ServiceTarget): void {
  if (userId !== undefined) checkLength('user_id', userId, target.limits.userId)
}

/** Rejects a text with fewer or more characters than the inclusive bounds. */
export function checkLength(
  what: string,
  text: string,
  bounds: { readonly min: number; readonly max: number },
): void {
  if (isLonger(text, bounds.max)) throw over('LIMIT_EXCEEDED', what, bounds.max, charactersOf(text))
  const count = charactersOf(text)
  if (count < bounds.min) throw under(what, bounds.min, count)
}

/** Rejects a missing value: an empty text where the provider needs one, or a list without items. */
export function requireSome(what: string, value: string | readonly unknown[]): void {
  if (value.length === 0) throw under(what, 1, 0)
}

/** Rejects a number outside the inclusive bounds, and NaN; `whole` rejects fractions as well. */
export function checkRange(
  what: string,
  value: number,
  bounds: { readonly min: number; readonly max: number; readonly whole?: boolean },
): void {
  if (!Number.isFinite(value) || (bounds.whole === true && !Number.isInteger(value)))
    throw illegal(what, String(value))
  if (value > bounds.max) throw over('LIMIT_EXCEEDED', what, bounds.max, value)
  if (value < bounds.min) throw under(what, bounds.min, value)
}

/** Returns the error for a value the provider does not know here. Params: the field and the value. */
export function illegal(what: string, value: string | number): AppError {
  return new AppError('INVALID_INPUT', `The ${what} cannot be ${value}.`, {
    params: { what, value },
  })
}

/** Returns the error for a value below its minimum; the params are those of {@link over}. */
export function under(
  what: string,
  limit: number,
  value: number,
  more: Readonly<Record<string, string | number>> = {},
): AppError {
  return new AppError('LIMIT_EXCEEDED', `${what}: ${value}, the minimum is ${limit}.`, {
    params: { what, limit, value, ...more },
  })
}

/**
 * Returns the error for a value over its limit: the params name the field, the limit and the value, plus those of `more`.
 */
export function over(
  code: 'FILE_TOO_LARGE' | 'AUDIO_TOO_LONG' | 'LIMIT_EXCEEDED',
  what: string,
  limit: number,
  value: number,
  more: Readonly<Record<string, string | number>> = {},
): AppError {
  return new AppError(code, `${what}: ${value}, the maximum is ${limit}.`, {
    params: { what, limit, value, ...more },
  })
}

/**
 * Returns an ID as a percent-encoded path segment. Rejects (INVALID_INPUT) values that would lead to another path: an empty
 * ID, `.` and `..`. Control characters and unpaired surrogates, which no ID contains, are rejected too.
 */
export function pathPart(what: string, id: string): string {
  const odd = id === '' || id === '.' || id === '..' || /\p{Cc}/u.test(id) || !id.isWellFormed()
  if (odd) throw illegal(what, id.toWellFormed().slice(0, 200))
  return encodeURIComponent(id)
}

/** Rejects a value that is not listed in the API reference (INVALID_INPUT). */
export function checkOneOf(
  what: string,
  value: string | number,
  allowed: readonly (string | number)[],
): void {
  if (!allowed.includes(value)) throw illegal(what, value)
}
