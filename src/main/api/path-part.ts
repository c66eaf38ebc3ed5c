import { illegal } from './request-limits.ts'

/**
 * An id as a part of a path, percent-encoded. Refuses (INVALID_INPUT) what would lead to another path: an empty id, `.` and
 * `..`. Control characters and halves of surrogate pairs, which no id holds, are refused too.
 */
export function pathPart(what: string, id: string): string {
  const odd = id === '' || id === '.' || id === '..' || /\p{Cc}/u.test(id) || !id.isWellFormed()
  if (odd) throw illegal(what, id.toWellFormed().slice(0, 200))
  return encodeURIComponent(id)
}

/** Refuses a value that is not among those the API reference lists (INVALID_INPUT). */
export function checkOneOf(
  what: string,
  value: string | number,
  allowed: readonly (string | number)[],
): void {
  if (!allowed.includes(value)) throw illegal(what, value)
}
