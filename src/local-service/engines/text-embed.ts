import type { Encoder } from './text-encoder.ts'
import { isEnglish } from './text-language.ts'
import type { TextOutcome, TextRequest } from './text-messages.ts'
import { ngramVector } from './text-ngrams.ts'
import { project, unit } from './text-vectors.ts'

type Embed = Extract<TextRequest, { type: 'embed' }>
type Embedded = Extract<TextOutcome, { type: 'embed' }>

/** Loads the encoder when it is first needed. Throws JobTrouble. */
export type EncoderSource = () => Promise<Encoder>

/** To be awaited between two steps; throws when the caller went away. */
export type NextStep = () => Promise<void>

/** Windows computed together: more bring nothing, and the caller can leave between. */
const together = 16

/** Vectors of windows, in steps. */
export async function encodeInSteps(
  encoder: Encoder,
  windows: readonly string[],
  next: NextStep,
): Promise<readonly Float32Array<ArrayBuffer>[]> {
  const vectors: Float32Array<ArrayBuffer>[] = []
  for (let at = 0; at < windows.length; at += together) {
    await next()
    vectors.push(...(await encoder.encode(windows.slice(at, at + together))))
  }
  return vectors
}

/**
 * Unit vectors of texts: English by the encoder, everything else by its n-grams. The encoder reads 128 tokens at most, so
 * that a longer text is read in windows: its vector is the mean of theirs, each weighed by its length.
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
  const encoded = encoder ? await encodeInSteps(encoder, windows.flat(), next) : []
  let at = 0
  const vectors = texts.map((text, i) => {
    if (methods[i] === 'n-grams') return ngramVector(text, dimensions)
    const own = windows[i] ?? []
    const mean = meanOf(own, encoded.slice(at, at + own.length))
    at += own.length
    return project(mean, dimensions)
  })
  return { type: 'embed', vectors, methods }
}

function meanOf(
  windows: readonly string[],
  vectors: readonly Float32Array<ArrayBuffer>[],
): Float32Array<ArrayBuffer> {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const [i, vector] of vectors.entries()) {
    const weight = windows[i]?.length ?? 0
    for (const [place, value] of vector.entries()) sum[place] = (sum[place] ?? 0) + weight * value
  }
  return unit(sum)
}
