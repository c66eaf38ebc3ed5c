import type { Span } from '../../../../../shared/model/meeting.ts'
import { isSingle } from './word-units.ts'

/** A transcript line before it has a speaker; its times are estimated. */
export interface TimedText extends Span {
  readonly text: string
}

/** A line ends at the first length, and gets no sentence that would make it longer than the second, in milliseconds. */
const enoughMs = 5_000
const maxMs = 15_000
/** Maximum text width of a line; a character of a script without spaces counts twice. */
const maxWidth = 200

/**
 * Splits a text into lines of about 5 to 15 seconds, between sentences, and inside long ones between clauses or words. The
 * provider returns no times: characters are distributed evenly over the ranges with voice (service-notes 17.5).
 */
export function linesOf(text: string, span: Span, voiced: readonly Span[]): readonly TimedText[] {
  const parts = sentencesOf(text).flatMap((sentence) => shortened(sentence))
  const total = parts.reduce((sum, part) => sum + lengthOf(part), 0)
  if (total === 0) return []
  const at = voicedClock(span, voiced)
  const msOf = (part: string): number => (lengthOf(part) / total) * at.voicedMs

  const groups: string[] = []
  for (const part of parts) {
    const last = groups.at(-1)
    const joined = last === undefined ? part : last + part
    const fits = last !== undefined && msOf(last) < enoughMs && msOf(joined) <= maxMs
    if (fits && widthOf(joined) <= maxWidth) groups[groups.length - 1] = joined
    else groups.push(part)
  }
  let spokenLength = 0
  return groups.map((group) => {
    const startMs = at.moment(spokenLength / total, 'start')
    spokenLength += lengthOf(group)
    return {
      text: group.trim(),
      startMs,
      endMs: Math.max(startMs + 1, at.moment(spokenLength / total, 'end')),
    }
  })
}

/** Sentences with the white space after them; they join to the text. A part without letters and digits is never separate. */
function sentencesOf(text: string): readonly string[] {
  const segmenter = new Intl.Segmenter('und', { granularity: 'sentence' })
  const sentences: string[] = []
  for (const { segment } of segmenter.segment(text.trim().replace(/\s+/g, ' '))) {
    const last = sentences.length - 1
    if (last >= 0 && !/[\p{L}\p{N}]/u.test(segment)) sentences[last] += segment
    else sentences.push(segment)
  }
  return sentences
}

/** Splits a sentence that is longer than a line. */
function shortened(sentence: string): readonly string[] {
  const fragments: string[] = []
  let rest = sentence
  while (widthOf(rest) > maxWidth) {
    const cut = cutOf(rest)
    fragments.push(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  return rest === '' ? fragments : [...fragments, rest]
}

/**
 * Index at which a text is split so that its beginning fits: after the last clause in the second half, else after a word, else
 * anywhere.
 */
function cutOf(text: string): number {
  let width = 0
  let clause = 0
  let word = 0
  let at = 0
  for (const character of text) {
    width += isSingle(character) ? 2 : 1
    if (width > maxWidth) break
    at += character.length
    if (width > maxWidth / 2 && /[,;:，；：、—]/.test(character)) clause = at
    if (/\s/.test(character)) word = at
  }
  // Punctuation includes the white space after it.
  if (clause > 0 && text[clause] === ' ') clause += 1
  return clause || word || at
}

const widthOf = (text: string): number => {
  let width = 0
  for (const character of text) width += isSingle(character) ? 2 : 1
  return width
}

/** Relative duration of a text: characters without spaces take three times as long as letters. */
const lengthOf = (text: string): number => {
  let length = 0
  for (const character of text) {
    if (isSingle(character)) length += 3
    else if (/[\p{L}\p{N}]/u.test(character)) length += 1
  }
  return length
}

/** Maps the elapsed voice of a range to moments in it. */
function voicedClock(
  span: Span,
  voiced: readonly Span[],
): { readonly voicedMs: number; moment(share: number, edge: 'start' | 'end'): number } {
  const inside = voiced
    .map(({ startMs, endMs }) => ({
      startMs: Math.max(startMs, span.startMs),
      endMs: Math.min(endMs, span.endMs),
    }))
    .filter(({ startMs, endMs }) => endMs > startMs)
  const spans = inside.length > 0 ? inside : [span]
  const voicedMs = spans.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
  return {
    voicedMs,
    moment(share, edge) {
      let left = share * voicedMs
      for (const [index, { startMs, endMs }] of spans.entries()) {
        const length = endMs - startMs
        // A start at the end of a range belongs to the next one, an end to this one.
        const last = index === spans.length - 1
        if (last || left < length - 0.5 || (edge === 'end' && left <= length + 0.5))
          return Math.round(startMs + Math.min(left, length))
        left = Math.max(0, left - length)
      }
      return span.endMs
    },
  }
}
