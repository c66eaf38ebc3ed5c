import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as ort from 'onnxruntime-web'
import tokenizer from 'llama-tokenizer-js'

/** Sample rate the model was trained on, in Hz. */
export const sampleRate = 16_000

/** Recognition result of an audio signal. */
interface Recognition {
  readonly text: string
  readonly tokens: number
  /** Mean natural logarithm of the token probabilities; null without tokens. */
  readonly confidence: number | null
  /** Whether it was stopped at {@link tokensPerSecond} because the decoder was in a loop. */
  readonly endless: boolean
}

/** Loaded model. Accepts one call at a time, because the sessions share one WebAssembly memory. */
interface Moonshine {
  /**
   * Recognizes English speech in mono samples (16 kHz, -1 to 1, at least 0.1 s) by greedy decoding with a key-value cache.
   * `onText` gets the text of each token as it is decoded; `stopped` is checked before every token and ends the work
   * early.
   */
  recognise(
    samples: Float32Array<ArrayBuffer>,
    onText: (text: string) => void,
    stopped: () => boolean,
  ): Promise<Recognition>
}

const startToken = 1
const endToken = 2

/** Maximum tokens per second of English speech; more means that the decoder is in a loop. */
const tokensPerSecond = 6.5

/** Returns an empty cache entry: no tokens yet, eight heads of 36 values. */
const emptyPast = (): ort.Tensor => new ort.Tensor('float32', new Float32Array(0), [0, 8, 1, 36])

/** Yields to the event loop, because a cancel message reaches the worker only between two of its turns. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function floats(tensor: ort.Tensor | undefined): Float32Array {
  if (tensor?.data instanceof Float32Array) return tensor.data
  throw new Error('The model returned an output of an unexpected type')
}

/** Returns the most likely token of the last position and the logarithm of its probability. */
function likeliest(logits: Float32Array): { token: number; logProbability: number } {
  let token = 0
  let best = -Infinity
  for (let i = 0; i < logits.length; i++) {
    const value = logits[i] ?? -Infinity
    if (value <= best) continue
    best = value
    token = i
  }
  let sum = 0
  for (const value of logits) sum += Math.exp(value - best)
  return { token, logProbability: -Math.log(sum) }
}

/**
 * Loads Moonshine tiny (`encoder_model.onnx`, `decoder_model_merged.onnx`) from its folder. Throws read errors.
 */
export async function loadMoonshine(folder: string): Promise<Moonshine> {
  ort.env.wasm.numThreads = 1
  const session = async (file: string): Promise<ort.InferenceSession> =>
    ort.InferenceSession.create(await readFile(join(folder, file)), {
      executionProviders: ['wasm'],
    })
  const encoder = await session('encoder_model.onnx')
  const decoder = await session('decoder_model_merged.onnx')
  const pastNames = decoder.inputNames.filter((name) => name.startsWith('past_key_values'))

  return {
    async recognise(samples, onText, stopped) {
      const encoded = await encoder.run({
        input_values: new ort.Tensor('float32', samples, [1, samples.length]),
      })
      const hiddenStates = encoded['last_hidden_state']
      if (!hiddenStates) throw new Error('The encoder returned no hidden state')
      const limit = Math.max(1, Math.ceil((samples.length / sampleRate) * tokensPerSecond))
      const past: Record<string, ort.Tensor> = {}
      for (const name of pastNames) past[name] = emptyPast()

      const words = createDetokenizer()
      let text = ''
      let count = 0
      let sum = 0
      let ended = false
      const add = (chunk: string): void => {
        text += chunk
        if (chunk) onText(chunk)
      }
      for (let step = 0, last = startToken; step < limit; step++) {
        await turn()
        ended = stopped()
        if (ended) break
        const output = await decoder.run({
          ...past,
          input_ids: new ort.Tensor('int64', BigInt64Array.of(BigInt(last)), [1, 1]),
          encoder_hidden_states: hiddenStates,
          use_cache_branch: new ort.Tensor('bool', [step > 0]),
        })
        const { token, logProbability } = likeliest(floats(output['logits']))
        sum += logProbability
        count++
        ended = token === endToken
        if (ended) break
        add(words.push(token))
        last = token
        // The decoder's cache of the encoded audio is created in the first step and does not change afterwards.
        for (const name of pastNames) {
          const present = output[name.replace('past_key_values', 'present')]
          if (present && (step === 0 || name.includes('.decoder.'))) past[name] = present
        }
      }
      add(words.end())
      return { text, tokens: count, confidence: count > 0 ? sum / count : null, endless: !ended }
    },
  }
}

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
interface Detokenizer {
  /**
   * Returns the text that this token completes. Blanks are held back until the next word, so that none begin or end the
   * text.
   */
  push(token: number): string
  /** Returns the rest of an incomplete character as U+FFFD. */
  end(): string
}

/** Creates a detokenizer for one text, with the Llama vocabulary that Moonshine was trained with. */
function createDetokenizer(): Detokenizer {
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
