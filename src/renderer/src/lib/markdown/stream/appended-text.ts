import type { GrowingText } from './text-parts.ts'

/** Characters compared to detect that a text has only grown, and those compared at a time for certainty. */
const sample = 48
const compared = 65_536

/** Reader of a text that grows at its end. */
export interface AppendedText {
  /** Returns the next characters of a text, up to the maximum; null if the text differs from the previous one. */
  next(text: GrowingText, maxLetters: number): string | null
  /** Whether all of a text was returned. */
  hasAll(text: GrowingText): boolean
  /** Whether the returned part of one text is an exact prefix of another. */
  hasSamePrefix(one: GrowingText, other: GrowingText): boolean
}

/** Creates it without any text. It retains a copy of the text's last characters: a slice would retain all of it. */
export function createAppendedText(): AppendedText {
  let known = 0
  let last = ''
  return {
    hasAll: (text) => text.length === known,
    next(text, maxLetters) {
      if (text.length < known || text.slice(known - last.length, known) !== last) return null
      const chunk = text.slice(known, known + maxLetters)
      known += chunk.length
      last = copied(last + chunk).slice(-sample)
      return chunk
    },
    hasSamePrefix(one, other) {
      if (other.length < known) return false
      for (let from = 0; from < known; from += compared) {
        const to = Math.min(known, from + compared)
        if (one.slice(from, to) !== other.slice(from, to)) return false
      }
      return true
    },
  }
}

/** A copy of the end of a text, independent of its string. */
const copied = (text: string): string => Array.from(text.slice(-sample)).join('')
