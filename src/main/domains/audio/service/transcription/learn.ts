import { fold } from '../../../../../shared/text/fold.ts'
import type { MeetingStore } from '../../store/meetings-types.ts'
import { isCommon } from './common-words.ts'
import { createPhoneticMatcher } from './phonetic-similarity.ts'
import { plainWords } from './word-units.ts'

type Correction = ReturnType<MeetingStore['corrections']>[number]

/** Maximum length of a hotword, in words of a spaced script; characters without spaces: twice as many. */
const maxTermLength = 4
/** Maximum number of words returned. */
const maxTerms = 100

/**
 * Returns words to send to the engine, from the user's corrections (newest first): names and terms before other words,
 * then the most frequent corrections, then the most recent. Common words and those in `known` are excluded.
 */
export function learnedWords(
  corrections: readonly Correction[],
  known: readonly string[],
): readonly string[] {
  const skip = new Set(known.map(fold))
  const found = new Map<string, { word: string; count: number; newest: number; rank: number }>()
  for (const [newest, { heard: transcribed, corrected }] of corrections.entries()) {
    const word = bare(corrected)
    const key = fold(word)
    // Only case or punctuation changed: the engine recognized it correctly.
    if (key === '' || skip.has(key) || key === fold(transcribed.trim()) || !isTerm(word)) continue
    const entry = found.get(key)
    if (entry) entry.count += 1
    else found.set(key, { word, count: 1, newest, rank: isName(word) ? 0 : 1 })
  }
  return Array.from(found.values())
    .toSorted((a, b) => a.rank - b.rank || b.count - a.count || a.newest - b.newest)
    .slice(0, maxTerms)
    .map(({ word }) => word)
}

/**
 * Selects those of {@link learnedWords} that belong in the vocabulary: names and terms, not words that were only rephrased. An
 * ordinary word qualifies if it was corrected in different places; a term in Han, or a capital that may only begin a sentence, if
 * it sounds like the transcribed text.
 */
export async function suggestedTerms(
  corrections: readonly Correction[],
  known: readonly string[],
): Promise<readonly string[]> {
  const transcribedByCorrection = new Map<string, string[]>()
  for (const { heard: transcribed, corrected } of corrections) {
    const key = fold(bare(corrected))
    transcribedByCorrection.set(key, [...(transcribedByCorrection.get(key) ?? []), transcribed])
  }
  const suggested: string[] = []
  for (const word of learnedWords(corrections, known)) {
    const transcribed = transcribedByCorrection.get(fold(word)) ?? []
    if (
      transcribed.length > 1 ||
      /[\p{Lu}\p{N}]/u.test(word.slice(1)) ||
      (/^\p{Lu}/u.test(word) && !transcribed.some((one) => /^\P{L}*\p{Lu}/u.test(one))) ||
      (isName(word) && (await soundsLike(word, transcribed)))
    )
      suggested.push(word)
  }
  return suggested
}

async function soundsLike(word: string, transcribed: readonly string[]): Promise<boolean> {
  const matcher = await createPhoneticMatcher([word])
  return transcribed.some((one) => matcher.detects(one))
}

/** Words without surrounding punctuation. */
const bare = (corrected: string): string => corrected.trim().replace(/^\p{P}+|\p{P}+$/gu, '')

function isTerm(word: string): boolean {
  const words = plainWords(word)
  const singles = words.filter((one) =>
    /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}]/u.test(one),
  )
  if (singles.length === words.length)
    return words.length >= 2 && words.length <= maxTermLength * 2 && !isCommon(word)
  return words.length <= maxTermLength && !words.every(isCommon) && /\p{L}/u.test(word)
}

/** Whether a word is a name or term: it has capitals or digits, or is a corrected term in Han. */
const isName = (word: string): boolean => /[\p{Lu}\p{N}\p{scx=Han}]/u.test(word)
