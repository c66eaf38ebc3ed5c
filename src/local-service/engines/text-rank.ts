import { encodeWindows, type EncoderSource, type NextStep } from './text-embed.ts'
import { isEnglish } from '../../shared/text/language.ts'
import type { TextOutcome, TextRequest, Rank } from './text-messages.ts'
import { ngramCosine, ngrams } from './text-ngrams.ts'
import { bestWindows, combined, contentTokens, wordShares } from './text-score.ts'
import { dot } from './text-vectors.ts'
import { windowsOf } from './text-windows.ts'

/**
 * Maximum windows read of all documents together, each of at most 400 characters: the encoder reads about 25 per second.
 */
const maxWindows = 256

/** Returns the cosine similarity of a document window to the query. */
type Nearness = (window: string) => number

/**
 * Ranks documents. The semantic similarity of a document is that of its nearest window. Of long documents, only the
 * windows that contain most of the query's words are read, so that 128 documents of 4,096 characters take a few seconds
 * instead of a minute.
 */
export async function rankTexts(
  { query, documents }: Extract<TextRequest, { type: 'rank' }>,
  source: EncoderSource,
  next: NextStep,
): Promise<Extract<TextOutcome, { type: 'rank' }>> {
  const english = isEnglish(query)
  const methods = documents.map((text) => (english && isEnglish(text) ? 'encoder' : 'n-grams'))
  const encoder = methods.includes('encoder') ? await source() : null
  const tokens = contentTokens(query, english)
  const maxPerDocument = Math.max(1, Math.floor(maxWindows / documents.length))
  const windows = documents.map((text, i) => {
    const all =
      encoder && methods[i] === 'encoder' ? encoder.windows(text) : windowsOf(text, () => true)
    return bestWindows(tokens, all, maxPerDocument)
  })
  const nearness = {
    'n-grams': byNgrams(query),
    encoder: encoder
      ? await byMeaning(
          encoder.windows(query),
          windows.flatMap((own, i) => (methods[i] === 'encoder' ? own : [])),
          (texts) => encodeWindows(encoder, texts, next),
        )
      : byNgrams(query),
  }
  const words = wordShares(query, documents, english)
  const ranks: Rank[] = []
  for (const [i, method] of methods.entries()) {
    if (method === 'n-grams') await next()
    const cosine = Math.max(0, ...(windows[i] ?? []).map(nearness[method]))
    ranks.push(combined({ cosine, method }, words[i] ?? 0))
  }
  return { type: 'rank', ranks }
}

function byNgrams(query: string): Nearness {
  const wanted = ngrams(query)
  return (window) => ngramCosine(wanted, ngrams(window))
}

async function byMeaning(
  questions: readonly string[],
  windows: readonly string[],
  encode: (windows: readonly string[]) => Promise<ReadonlyMap<string, Float32Array>>,
): Promise<Nearness> {
  const vectors = await encode([...questions, ...windows])
  const empty = new Float32Array(0)
  const vectorOf = (window: string): Float32Array => vectors.get(window) ?? empty
  return (window) =>
    Math.max(...questions.map((question) => dot(vectorOf(question), vectorOf(window))))
}
