import { textUnits } from './cut.ts'
import { fold } from './fold.ts'
import { commonWords } from './common-words.ts'

/** Minimum share of Latin letters; one Han or Kana character counts as several letters. */
const minLatin = 0.8
const lettersPerCharacter = 3

/** Share of words with non-English letters beyond which a text is not English: loanwords keep their diacritics. */
const maxForeignWords = 0.2

const latin = /\p{sc=Latn}/gu
const letter = /\p{L}/gu
const dense = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/gu
const plainWord = /^[\p{ASCII}’‘]*$/u

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Number of units examined: the beginning of a text shows its language. */
const examinedUnits = 4000

/**
 * Returns whether a text is classified as English: at least four fifths of its letters are Latin, at most a fifth of its
 * words have letters with diacritics, and no other language's common words are more frequent than those of English. A few
 * words without any common one ("Reset password") count as English, which is right for names and terms and wrong for some
 * words of other languages; text without letters is not English.
 */
export function isEnglish(text: string): boolean {
  const examined = text.slice(0, examinedUnits).normalize('NFC')
  const ofLatin = count(examined, latin)
  const others = count(examined, letter) - ofLatin
  const weighed = others + (lettersPerCharacter - 1) * count(examined, dense)
  if (ofLatin === 0 || ofLatin < minLatin * (ofLatin + weighed)) return false
  const written = examined.split(/[^\p{L}\p{M}\p{N}’‘']+/u).filter((word) => /\p{L}/u.test(word))
  const foreign = written.filter((word) => !plainWord.test(word)).length
  if (foreign > maxForeignWords * written.length) return false
  const folded = Array.from(textUnits(fold(examined)), (unit) => unit.text)
  const frequency = (language: ReadonlySet<string>): number =>
    folded.reduce((sum, word) => sum + (language.has(word) ? 1 : 0), 0)
  const { en = new Set<string>(), ...rest } = commonWords
  const english = frequency(en)
  return Object.values(rest).every((language) => frequency(language) <= english)
}
