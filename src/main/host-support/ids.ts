import { randomBytes } from 'node:crypto'
import type { Clock, Ids } from '../deps.ts'

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghijkmnopqrstvwxyz'

/** A number in base 55, whose digits are in the order of their codes, padded to `width` so that texts sort as numbers do. */
function digits(value: number, width: number): string {
  let text = ''
  for (let rest = value; text.length < width; rest = Math.floor(rest / letters.length))
    text = (letters[rest % letters.length] ?? '0') + text
  return text
}

/** Makes ids of 24 characters: 8 of time (ms), 3 of a count within the millisecond, 13 of chance (about 75 bits). */
export function createIds(clock: Clock): Ids {
  let last = 0
  let count = 0
  return () => {
    // A clock that is set back does not make ids fall.
    const now = Math.max(clock(), last)
    count = now === last ? count + 1 : 0
    last = now
    const chance = [...randomBytes(13)].map((byte) => letters[byte % letters.length]).join('')
    return digits(now, 8) + digits(count, 3) + chance
  }
}
