/** Letters that are compared to see that a text has only grown. */
const sample = 48

/** Follows a text that grows at its end. */
export interface GrownText {
  /** The next letters of a text, at most so many; null where the text is another one than before. */
  next(text: string, most: number): string | null
  /** Whether all of a text was given. */
  hasAll(text: string): boolean
}

/** Builds it with nothing given yet. What it keeps of the text are its last letters: a slice would hold all of it. */
export function createGrownText(): GrownText {
  let known = 0
  let last = ''
  return {
    hasAll: (text) => text.length === known,
    next(text, most) {
      if (text.length < known || !text.startsWith(last, known - last.length)) return null
      const piece = text.slice(known, known + most)
      known += piece.length
      last = copied(last + piece).slice(-sample)
      return piece
    },
  }
}

/** The end of a text as letters of its own. */
const copied = (text: string): string => Array.from(text.slice(-sample)).join('')
