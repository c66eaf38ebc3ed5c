/** Holds the text of an answer while it grows. */
export interface BoundedText {
  readonly length: number
  readonly text: string
  add(more: string): void
  /** Puts another text in its place. */
  put(text: string): void
}

/** Holds it as one string. */
export function createStringText(text: string): BoundedText {
  return {
    get length() {
      return text.length
    },
    get text() {
      return text
    },
    add: (more) => void (text += more),
    put: (other) => void (text = other),
  }
}
