/** Holds the growing text of an answer. */
export interface BoundedText {
  readonly length: number
  readonly text: string
  add(more: string): void
  put(text: string): void
}

/** Stores the text as one string. */
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
