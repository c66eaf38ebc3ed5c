import { textUnits } from '../../../../../shared/text/cut.ts'
import { fold, foldWithOffsets } from '../../../../../shared/text/fold.ts'

/** Unit of text comparison: a word of a spaced script, or one character of a script without spaces. */
export interface Word {
  /** Folded: case, width and diacritics are ignored. */
  readonly text: string
  /** Offset in the original text, UTF-16 units. */
  readonly start: number
  readonly end: number
  /** Whether it is a character of a script without spaces (Han, Kana, Hangul, Thai). */
  readonly single: boolean
}

/** The words of a text in order, without punctuation. */
export function wordsOf(text: string): readonly Word[] {
  const folded = foldWithOffsets(text)
  const words: Word[] = []
  const add = (part: string, from: number, single: boolean): void => {
    const start = folded.starts[from] ?? 0
    const end = folded.ends[from + part.length - 1] ?? text.length
    words.push({ text: part, start, end, single })
  }
  for (const { kind, text: token, start } of textUnits(folded.text)) {
    if (kind === 'word') add(token, start, false)
    else {
      let at = start
      for (const character of token) {
        add(character, at, true)
        at += character.length
      }
    }
  }
  return words
}

/** Only the folded words. */
export const plainWords = (text: string): readonly string[] =>
  Array.from(textUnits(fold(text)), (token) =>
    token.kind === 'word' ? [token.text] : Array.from(token.text),
  ).flat()

/** Characters of scripts without spaces: one takes about as long to say as two or three letters. */
const singles =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u

/** Whether a character belongs to a script without spaces. */
export const isSingle = (character: string): boolean => singles.test(character)

/** Number of words; each character of a script without spaces counts half: four of them carry about as much as two words. */
export const weightOf = (words: readonly Pick<Word, 'single'>[]): number =>
  words.reduce((sum, { single }) => sum + (single ? 0.5 : 1), 0)
