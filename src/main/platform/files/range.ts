/**
 * Parsed `Range` header of a file of `size` bytes: all of it, one range (both ends inclusive), or an unsatisfiable range.
 */
type RangeAnswer =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' }

const whole: RangeAnswer = { kind: 'whole' }

/**
 * Parses a `Range` header (RFC 9110, 14.2). Several ranges return the whole file, as the standard allows; an invalid header
 * is ignored, a range beyond the end is unsatisfiable.
 */
export function parseRange(header: string | null, size: number): RangeAnswer {
  const match = /^bytes\s*=\s*(\d*)\s*-\s*(\d*)$/i.exec(header?.trim() ?? '')
  if (!match) return whole
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return whole
  if (first === '') return suffix(Number(last), size)
  const start = Number(first)
  if (last !== '' && Number(last) < start) return whole
  if (start >= size) return { kind: 'unsatisfiable' }
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  return { kind: 'part', start, end }
}

function suffix(length: number, size: number): RangeAnswer {
  if (length === 0 || size === 0) return { kind: 'unsatisfiable' }
  return { kind: 'part', start: Math.max(0, size - length), end: size - 1 }
}
