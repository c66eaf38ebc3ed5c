import { AppError } from '../../errors.ts'

/**
 * A title that is safe to show and log: no control, direction or other invisible characters; throws BAD_REQUEST if nothing is
 * left.
 */
export function displayTitle(title: string): string {
  const clean = title
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (clean === '')
    throw new AppError('BAD_REQUEST', 'A title needs at least one visible character')
  return clean
}

/** Maximum characters of an excerpt. */
const excerptLength = 200

/** Returns the beginning of a text for lists: on one line, whole characters. */
export const excerptOf = (text: string): string =>
  Array.from(
    text
      .slice(0, 4 * excerptLength)
      .replace(/\s+/g, ' ')
      .trim(),
  )
    .slice(0, excerptLength)
    .join('')
