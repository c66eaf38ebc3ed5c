import { breakRank, textBreaks, type TextBreak } from './sentences.ts'

/** A segment of a text that is generated in one request. Joined segments are the text, including white space. */
interface TextSegment {
  /** Includes the white space after it; the text that is sent does not ({@link spokenText}). */
  readonly text: string
  /** Whether a paragraph ends with it. */
  readonly paragraph: boolean
}

/** Minimum, maximum and default target length in UTF-16 units; no character is longer than the minimum. */
export const segmentBounds = { min: 40, max: 1000, default: 280 } as const

/** Maximum length of a text in UTF-16 units: some six hours of English, twenty of Chinese. */
export const maxText = 300_000

/** Returns the part of a segment that is sent: its text without surrounding white space. */
export const spokenText = (text: string): string => text.trim()

/**
 * Returns whether there is anything to speak: a letter, a digit or a symbol with a name (`%`, `€`). Rules and asterisks alone
 * are silent.
 */
export const isSynthesized = (text: string): boolean => /[\p{L}\p{N}\p{Sc}%&@+=]/u.test(text)

/**
 * Splits a text into segments whose spoken part has at most `most` UTF-16 units: whole sentences, as many as fit, never
 * beyond the end of a paragraph; a longer sentence at its clauses, then between words, finally between grapheme clusters.
 */
export function splitText(text: string, maxLength: number): readonly TextSegment[] {
  const breaks = textBreaks(text)
  const segments: TextSegment[] = []
  let from = 0
  let next = 0
  while (from < text.length) {
    while (next < breaks.length && (breaks[next]?.at ?? 0) <= from) next += 1
    const cut = bestCut(text, from, maxLength, breaks, next)
    segments.push({ text: text.slice(from, cut.at), paragraph: cut.rank === breakRank.paragraph })
    from = cut.at
  }
  return joinSilent(segments, maxLength)
}

/** Flags of a segment in the result of {@link cutText}. */
export const cutFlags = { paragraph: 1, spoken: 2 } as const

/** Returns the same as numbers, two per segment: its end offset, and flags ({@link cutFlags}). */
export function cutText(text: string, maxLength: number): Uint32Array<ArrayBuffer> {
  const segments = splitText(text, maxLength)
  const cuts = new Uint32Array(segments.length * 2)
  let end = 0
  for (const [index, segment] of segments.entries()) {
    end += segment.text.length
    cuts[index * 2] = end
    cuts[index * 2 + 1] =
      (segment.paragraph ? cutFlags.paragraph : 0) |
      (isSynthesized(segment.text) ? cutFlags.spoken : 0)
  }
  return cuts
}

/** Returns the end of a segment that begins at `from`. */
function bestCut(
  text: string,
  from: number,
  maxLength: number,
  breaks: readonly TextBreak[],
  next: number,
): TextBreak {
  const begin = from + leadingSpace(text, from)
  const best: (TextBreak | undefined)[] = []
  for (let index = next; ; index++) {
    const at = breaks[index]?.at ?? text.length
    const rank = breaks[index]?.rank ?? breakRank.paragraph
    if (spokenEnd(text, begin, at) - begin > maxLength) break
    if (rank === breakRank.paragraph) return { at, rank }
    best[rank] = { at, rank }
    if (index >= breaks.length) break
  }
  const sentence = best[breakRank.sentence]
  if (sentence) return sentence
  // A few words before the first comma are no segment of their own.
  const clause = best[breakRank.clause]
  const space = best[breakRank.space]
  if (clause && clause.at - begin >= maxLength / 3) return clause
  return space ?? clause ?? { at: hardCut(text, begin, maxLength), rank: breakRank.character }
}

const leadingSpace = (text: string, from: number): number =>
  /^\s*/u.exec(text.slice(from, from + 4096))?.[0].length ?? 0

/** Returns the end of the spoken text before an offset, without trailing white space. */
function spokenEnd(text: string, from: number, to: number): number {
  let end = to
  while (end > from && /\s/u.test(text[end - 1] ?? '')) end -= 1
  return end
}

/** Created at first use: the first segmenter of a process loads the data of ICU, which takes 10 ms. */
let graphemes: Intl.Segmenter | undefined

/** Splits between grapheme clusters; one that is longer than a segment between its code points. */
function hardCut(text: string, from: number, maxLength: number): number {
  const excerpt = text.slice(from, from + maxLength + 64)
  let end = 0
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  for (const { index, segment } of graphemes.segment(excerpt)) {
    if (index + segment.length > maxLength) break
    end = index + segment.length
  }
  if (end === 0) end = isHigh(excerpt, maxLength - 1) ? maxLength - 1 : maxLength
  return from + end
}

const isHigh = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at)
  return unit >= 0xd800 && unit <= 0xdbff
}

/** Joins segments with nothing to speak to the previous one if there is room. */
function joinSilent(segments: readonly TextSegment[], maxLength: number): readonly TextSegment[] {
  const joined: TextSegment[] = []
  for (const segment of segments) {
    const before = joined.at(-1)
    const both = `${before?.text ?? ''}${segment.text}`
    if (before && !isSynthesized(segment.text) && spokenText(both).length <= maxLength)
      joined[joined.length - 1] = { text: both, paragraph: segment.paragraph || before.paragraph }
    else joined.push(segment)
  }
  return joined
}

const syllable = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u
const letter = /[\p{L}\p{N}]/u

/** Characters per second at normal speed: syllables of Chinese, Japanese and Korean; letters of other scripts. */
const pace = { syllables: 4.4, letters: 12.5 } as const

/**
 * Classes of characters for the speaking rate, by their code: 1 nothing, 2 a syllable, 3 a letter; 0 not classified yet.
 */
const paces = new Uint8Array(0x1_0000)

function paceOf(code: number): number {
  const known = paces[code] ?? 0
  if (known !== 0) return known
  const sign = String.fromCodePoint(code)
  const kind = syllable.test(sign) ? 2 : letter.test(sign) ? 3 : 1
  if (code < paces.length) paces[code] = kind
  return kind
}

/** Estimates the seconds to speak a text at speed 1, without pauses between segments. */
export function estimateSeconds(text: string): number {
  let syllables = 0
  let letters = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) ?? 0
    if (code > 0xffff) at += 1
    const kind = paceOf(code)
    if (kind === 2) syllables += 1
    else if (kind === 3) letters += 1
  }
  return syllables / pace.syllables + letters / pace.letters
}
