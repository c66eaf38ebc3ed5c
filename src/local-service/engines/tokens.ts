import tokenizer from 'llama-tokenizer-js'

const byteToken = /^<0x([0-9A-F]{2})>$/
const encoder = new TextEncoder()

/** The first three IDs of the vocabulary are control tokens and never text. */
const firstTextToken = 3

/** Returns the bytes of a token; none for a token beyond the vocabulary (the model pads its own). */
function bytesOf(token: number): Uint8Array {
  const vocabEntry = token < firstTextToken ? undefined : tokenizer.vocabById[token]
  if (vocabEntry === undefined) return new Uint8Array()
  const byte = byteToken.exec(vocabEntry)?.[1]
  if (byte !== undefined) return Uint8Array.of(Number.parseInt(byte, 16))
  return encoder.encode(vocabEntry.replaceAll('▁', ' '))
}

/** Converts tokens to text one by one; bytes of an incomplete character are buffered. */
export interface Detokenizer {
  /**
   * Returns the text that this token completes. Blanks are held back until the next word, so that none begin or end the
   * text.
   */
  push(token: number): string
  /** Returns the rest of an incomplete character as U+FFFD. */
  end(): string
}

/** Creates a detokenizer for one text, with the Llama vocabulary that Moonshine was trained with. */
export function createDetokenizer(): Detokenizer {
  const decoder = new TextDecoder()
  let begun = false
  let blanks = ''
  const settle = (part: string): string => {
    const text = blanks + part
    const word = text.trimEnd()
    blanks = text.slice(word.length)
    if (!word) return ''
    const first = !begun
    begun = true
    return first ? word.trimStart() : word
  }
  return {
    push: (token) => settle(decoder.decode(bytesOf(token), { stream: true })),
    end: () => settle(decoder.decode()),
  }
}
