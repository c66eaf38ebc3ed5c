/** A text that may be long, and is never processed as a whole: a string, or one in parts. */
export interface GrowingText {
  readonly length: number
  slice(from: number, to: number): string
}

/** A text in parts that grows at its end: reading its end does not copy its beginning, as with one string. */
export interface TextParts extends GrowingText {
  add(more: string): void
  /** The whole text; reading characters of it copies it. */
  readonly text: string
}

/** Number of characters of a part. */
const partLetters = 16_384

/** Creates a text. */
export function createTextParts(begin: string): TextParts {
  const parts: { readonly from: number; readonly text: string }[] = []
  let base = ''
  let current = begin
  let whole = begin
  const close = (): void => {
    parts.push({ from: base.length, text: current })
    base += current
    current = ''
  }
  return {
    get length() {
      return base.length + current.length
    },
    get text() {
      return whole
    },
    add(more) {
      current += more
      whole = base + current
      if (current.length >= partLetters) close()
    },
    slice(from, to) {
      let found =
        to > base.length ? current.slice(Math.max(0, from - base.length), to - base.length) : ''
      for (let at = parts.length - 1; at >= 0; at--) {
        const part = parts[at]
        if (!part || part.from + part.text.length <= from) break
        if (part.from < to)
          found = part.text.slice(Math.max(0, from - part.from), to - part.from) + found
      }
      return found
    },
  }
}

/** Characters compared to detect that a text has only grown, and those compared at a time for certainty. */
const sample = 48
const compared = 65_536

/** Reader of a text that grows at its end. */
interface AppendedText {
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
