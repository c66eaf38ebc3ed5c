import tokenizer from 'llama-tokenizer-js'

const byteToken = /^<0x([0-9A-F]{2})>$/
const encoder = new TextEncoder()

/** The first three ids of the vocabulary steer the decoder and are never text. */
const firstTextToken = 3

/** The bytes one token stands for; a token beyond the vocabulary (the model pads its own) stands for none. */
function bytesOf(token: number): Uint8Array {
  const vocabEntry = token < firstTextToken ? undefined : tokenizer.vocabById[token]
  if (vocabEntry === undefined) return new Uint8Array()
  const byte = byteToken.exec(vocabEntry)?.[1]
  if (byte !== undefined) return Uint8Array.of(Number.parseInt(byte, 16))
  return encoder.encode(vocabEntry.replaceAll('▁', ' '))
}

/** Turns tokens into text one by one; bytes of an unfinished character wait for the rest of it. */
export interface Detokenizer {
  /** The text this token completes. Blanks wait for the word after them, so none begin or end the text. */
  push(token: number): string
  /** What is left of an unfinished character, as U+FFFD. */
  end(): string
}

/** A detokenizer for one text, over the Llama vocabulary that Moonshine was trained with. */
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
