import { AppError } from '../errors.ts'

/** Refuses a number outside its bounds, both included: LIMIT_EXCEEDED names the thing, the bound that was passed and the value. */
export function checkBounds(
  what: string,
  value: number,
  bounds: { readonly min?: number; readonly max?: number },
): void {
  const { min, max } = bounds
  if (max !== undefined && value > max)
    throw new AppError('LIMIT_EXCEEDED', `The ${what} is over the limit: ${value} of ${max}.`, {
      params: { what, limit: max, value },
    })
  if (min !== undefined && value < min)
    throw new AppError('LIMIT_EXCEEDED', `The ${what} is under the limit: ${value} of ${min}.`, {
      params: { what, limit: min, value },
    })
}

/** Refuses a number that is none, or has a fraction, or lies outside its bounds. */
export function checkWhole(
  what: string,
  value: number,
  bounds: { readonly min?: number; readonly max?: number },
): void {
  if (!Number.isInteger(value)) throw notAllowed(what, String(value))
  checkBounds(what, value, bounds)
}

/** Refuses a value that is not among those the spec lists. */
export function checkOneOf(
  what: string,
  value: string | number,
  allowed: readonly (string | number)[],
): void {
  if (!allowed.includes(value)) throw notAllowed(what, String(value))
}

/**
 * An id as a part of a path, percent-encoded. Refuses what would lead to another path: an empty id, `.` and `..`, and control
 * characters. Half a surrogate pair, which no id holds, is refused too.
 */
export function pathPart(what: string, id: string): string {
  const odd = id === '' || id === '.' || id === '..' || /\p{Cc}/u.test(id) || !id.isWellFormed()
  if (odd) throw notAllowed(what, id)
  return encodeURIComponent(id)
}

function notAllowed(what: string, value: string): AppError {
  return new AppError('INVALID_INPUT', `The ${what} is none the service takes.`, {
    params: { what, value: value.slice(0, 200) },
  })
}
