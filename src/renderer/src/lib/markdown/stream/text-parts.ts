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
