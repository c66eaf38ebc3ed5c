import { DocumentFailure, type Slice } from '../../shared/knowledge/slicing/types.ts'
import { textUnits } from '../../shared/text/cut.ts'
import { fold } from '../../shared/text/fold.ts'
import type { TextEngine } from '../engines/text.ts'
import { createPause } from './pause.ts'
import type { EmbeddedSlice } from './slices.ts'

/**
 * Dimensions of a stored vector: those of the sentence encoder. The three models of service-notes 7 are one here.
 */
export const dimensions = 512

/** Embeds slices; with context enhancement, each includes the document name and the headings above it. */
export async function embedSlices(
  slices: readonly Slice[],
  document: { readonly name: string; readonly contextual: boolean },
  text: TextEngine,
  ids: () => string,
  signal: AbortSignal,
): Promise<readonly EmbeddedSlice[]> {
  const contexts = slices.map(({ headings }) =>
    document.contextual ? [document.name, ...headings].join(' > ') : '',
  )
  const texts = slices.map((slice, i) => `${contexts[i] ?? ''}\n${slice.text}`.trim())
  const { vectors, methods } = await text.embed(texts, dimensions, signal)
  return slices.map((slice, i) => ({
    ...slice,
    id: ids(),
    context: contexts[i] ?? '',
    method: methods[i] ?? 'n-grams',
    vector: vectors[i] ?? new Float32Array(dimensions),
  }))
}

/**
 * Counts the words and tokens of all slices. Throws {@link DocumentFailure} if there are too many words, and throws if
 * the signal aborts.
 */
export async function measured(
  slices: readonly Slice[],
  maxWords: number,
  signal: AbortSignal,
): Promise<{ readonly words: number; readonly tokens: number }> {
  const sum = { words: 0, tokens: 0 }
  const pause = createPause()
  for (const { text } of slices) {
    const { words, tokens } = measure(text)
    sum.words += words
    sum.tokens += tokens
    await pause()
    signal.throwIfAborted()
  }
  if (sum.words > maxWords)
    throw new DocumentFailure(
      10002,
      `The document has ${sum.words} words; at most ${maxWords} are allowed`,
    )
  return sum
}

/** Average letters per token in scripts that use spaces. */
const lettersPerToken = 4

/**
 * Counts the words of a text (in scripts without spaces, every character is one) and estimates its tokens.
 */
function measure(text: string): { readonly words: number; readonly tokens: number } {
  let words = 0
  let tokens = 0
  for (const { kind, text: part } of textUnits(fold(text))) {
    const chars = kind === 'run' ? Array.from(part).length : 1
    words += chars
    tokens += kind === 'run' ? chars : Math.ceil(part.length / lettersPerToken)
  }
  return { words, tokens }
}
