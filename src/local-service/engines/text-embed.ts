import { encoderDimensions, type Encoder } from './text-encoder.ts'
import { isEnglish } from '../../shared/text/language.ts'
import type { TextOutcome, TextRequest } from './text-messages.ts'
import { ngramVector } from './text-ngrams.ts'
import { project, unit } from './text-vectors.ts'

type Embed = Extract<TextRequest, { type: 'embed' }>
type Embedded = Extract<TextOutcome, { type: 'embed' }>

/** Loads the encoder on first use. Throws JobProblem. */
export type EncoderSource = () => Promise<Encoder>

/** Awaited between two steps; throws if the caller canceled. */
export type NextStep = () => Promise<void>

/** Number of windows computed together: more are not faster, and the caller can cancel in between. */
const together = 16

const none: ReadonlyMap<string, Float32Array> = new Map()

/** Computes unit vectors by window, in steps. */
export async function encodeWindows(
  encoder: Encoder,
  windows: readonly string[],
  next: NextStep,
): Promise<ReadonlyMap<string, Float32Array<ArrayBuffer>>> {
  const different = Array.from(new Set(windows))
  const vectors = new Map<string, Float32Array<ArrayBuffer>>()
  for (let at = 0; at < different.length; at += together) {
    await next()
    const batch = different.slice(at, at + together)
    const encoded = await encoder.encode(batch)
    for (const [i, vector] of encoded.entries()) vectors.set(batch[i] ?? '', vector)
  }
  return vectors
}

/**
 * Computes unit vectors of texts: English with the encoder, everything else from n-grams. The encoder reads at most 128
 * tokens, so a longer text is split into windows: its vector is the mean of theirs, weighted by length.
 */
export async function embedTexts(
  { texts, dimensions }: Embed,
  source: EncoderSource,
  next: NextStep,
): Promise<Embedded> {
  const methods = texts.map((text) => (isEnglish(text) ? 'encoder' : 'n-grams'))
  const encoder = methods.includes('encoder') ? await source() : null
  const windows = texts.map((text, i) =>
    encoder && methods[i] === 'encoder' ? encoder.windows(text) : [],
  )
  const encoded = encoder ? await encodeWindows(encoder, windows.flat(), next) : none
  const vectors = texts.map((text, i) =>
    methods[i] === 'n-grams'
      ? ngramVector(text, dimensions)
      : project(meanOf(windows[i] ?? [], encoded), dimensions),
  )
  return { type: 'embed', vectors, methods }
}

function meanOf(
  windows: readonly string[],
  vectors: ReadonlyMap<string, Float32Array>,
): Float32Array<ArrayBuffer> {
  const sum = new Float32Array(encoderDimensions)
  for (const window of windows)
    for (const [place, value] of (vectors.get(window) ?? []).entries())
      sum[place] = (sum[place] ?? 0) + window.length * value
  return unit(sum)
}
