/** A text that may be long, and is never looked at whole: a string, or one in parts. */
export interface GrowingText {
  readonly length: number
  slice(from: number, to: number): string
}

/** A text that grows at its end, in parts: reading its end copies nothing of its beginning, as the engine would with one string. */
export interface TextParts extends GrowingText {
  add(more: string): void
  /** All of it; whoever reads letters of this has it copied. */
  readonly text: string
}

/** Letters of a part. */
const partLetters = 16_384

/** Begins a text. */
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
