import { randomBytes } from 'node:crypto'
import type { Clock, Ids } from '../../deps.ts'

const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghijkmnopqrstvwxyz'

/** Returns a number in base 55 with digits in code order, padded to `width` so that texts sort like numbers. */
function digits(value: number, width: number): string {
  let text = ''
  for (let rest = value; text.length < width; rest = Math.floor(rest / letters.length))
    text = (letters[rest % letters.length] ?? '0') + text
  return text
}

/** Creates IDs of 24 characters: 8 of time (ms), 3 of a counter within the millisecond, 13 random (about 75 bits). */
export function createIds(clock: Clock): Ids {
  let last = 0
  let count = 0
  return () => {
    // IDs keep increasing when the clock is set back.
    const now = Math.max(clock(), last)
    count = now === last ? count + 1 : 0
    last = now
    const chance = [...randomBytes(13)].map((byte) => letters[byte % letters.length]).join('')
    return digits(now, 8) + digits(count, 3) + chance
  }
}
