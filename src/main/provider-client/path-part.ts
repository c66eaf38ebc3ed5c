import { illegal } from './request-limits.ts'

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
