import type { GrowingText } from './text-parts.ts'

/** Letters that are compared to see that a text has only grown, and those that are compared at a time to be sure. */
const sample = 48
const compared = 65_536

/** Follows a text that grows at its end. */
export interface AppendedText {
  /** The next letters of a text, at most so many; null where the text is another one than before. */
  next(text: GrowingText, maxLetters: number): string | null
  /** Whether all of a text was given. */
  hasAll(text: GrowingText): boolean
  /** Whether what was given of one text is the beginning of another, letter for letter. */
  hasSamePrefix(one: GrowingText, other: GrowingText): boolean
}

/** Builds it with nothing given yet. What it keeps of the text are its last letters: a slice would hold all of it. */
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

/** The end of a text as letters of its own. */
const copied = (text: string): string => Array.from(text.slice(-sample)).join('')
