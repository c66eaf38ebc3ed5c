import { doubleMetaphone } from 'double-metaphone'
import { plainWords } from './word-units.ts'

/** Detects words in texts by their pronunciation. */
interface PhoneticMatcher {
  /** Whether one or more consecutive words of the text sound like a target word without being it. */
  detects(text: string): boolean
}

interface Target {
  readonly words: readonly string[]
  /** Phonetic code of the whole word. */
  readonly code: string
}

const han = /\p{sc=Han}/u

/**
 * Creates a detector for these words. Alphabets are compared by Double Metaphone over consecutive words, however they were split
 * ("cooper net ease" for Kubernetes); Han by pinyin without tones, whose tables are loaded only if a word contains Han. Words
 * that already occur in the text need no other transcription.
 */
export async function createPhoneticMatcher(words: readonly string[]): Promise<PhoneticMatcher> {
  const parts = words.map(plainWords).filter((list) => list.length > 0)
  const chinese = parts.filter((list) => list.length > 1 && list.every((part) => han.test(part)))
  const syllables = chinese.length > 0 ? await createSyllables() : null
  const codes = new Map<string, string>()
  const codeOf = (word: string): string => {
    const known = codes.get(word)
    if (known !== undefined) return known
    const code = han.test(word) ? '' : doubleMetaphone(word)[0]
    codes.set(word, code)
    return code
  }
  const joined = (list: readonly string[]): string =>
    list.reduce((code, word) => code + inner(code, codeOf(word)), '')
  const latin = parts
    .filter((list) => !list.some((part) => han.test(part)))
    .map((list) => ({ words: list, code: joined(list) }))
    .filter(({ code }) => code.length > 1)
  const byStart = new Map<string, Target[]>()
  for (const target of latin) {
    const start = target.code.charAt(0)
    byStart.set(start, [...(byStart.get(start) ?? []), target])
  }
  return {
    detects(text) {
      const spoken = withoutWords(plainWords(text), [...chinese, ...latin.map((one) => one.words)])
      return (
        (latin.length > 0 && hasPhoneticMatch(spoken, spoken.map(codeOf), byStart)) ||
        (syllables !== null && chinese.some((word) => pinyinInside(spoken, word, syllables)))
      )
    },
  }
}

/** A vowel is part of the code only if the whole word starts with it. */
const inner = (before: string, code: string): string =>
  before !== '' && code.startsWith('A') ? code.slice(1) : code

/** The words, with blanks in place of those that are already correct. */
function withoutWords(
  spoken: readonly string[],
  targets: readonly (readonly string[])[],
): readonly string[] {
  const left = [...spoken]
  for (const words of targets) {
    for (let from = spoken.indexOf(words[0] ?? ''); from >= 0;) {
      if (words.every((word, at) => spoken[from + at] === word))
        left.fill('', from, from + words.length)
      from = spoken.indexOf(words[0] ?? '', from + 1)
    }
  }
  return left
}

/** Allowed difference between the number of words in the text and in the target. */
const spread = 2

function hasPhoneticMatch(
  spoken: readonly string[],
  codes: readonly string[],
  byStart: ReadonlyMap<string, readonly Target[]>,
): boolean {
  for (let from = 0; from < spoken.length; from++) {
    for (const target of byStart.get((codes[from] ?? '').charAt(0)) ?? []) {
      if (matchesPhoneticallyAt(spoken, codes, from, target)) return true
    }
  }
  return false
}

function matchesPhoneticallyAt(
  spoken: readonly string[],
  codes: readonly string[],
  from: number,
  target: Target,
): boolean {
  const allowed = target.code.length >= 7 ? 2 : target.code.length >= 4 ? 1 : 0
  const minSize = Math.max(1, target.words.length - 1)
  let code = ''
  let spelled = ''
  for (let size = 1; size <= target.words.length + spread; size++) {
    const word = spoken[from + size - 1]
    const wordCode = codes[from + size - 1]
    if (!word || wordCode === undefined || han.test(word)) return false
    code += inner(code, wordCode)
    spelled += word
    if (code.length > target.code.length + allowed) return false
    if (size < minSize || code.length < target.code.length - allowed) continue
    if (edits(code, target.code) > allowed) continue
    // The code ignores vowels: the letters must be similar as well.
    const letters = target.words.join('')
    if (edits(spelled, letters) <= Math.max(spelled.length, letters.length) * 0.55) return true
  }
  return false
}

/** Whether the syllables match: a quarter may differ; two that many speakers do not distinguish count as one. */
function pinyinInside(
  spoken: readonly string[],
  words: readonly string[],
  syllables: Syllables,
): boolean {
  const maxCost = words.length / 4
  for (let from = 0; from + words.length <= spoken.length; from++) {
    let cost = 0
    for (let at = 0; at < words.length && cost <= maxCost; at++)
      cost += syllables.apart(spoken[from + at] ?? '', words[at] ?? '')
    if (cost <= maxCost) return true
  }
  return false
}

/** Edit distance of two texts: characters to change, add or remove, in UTF-16 units. */
function edits(a: string, b: string): number {
  if (a === b) return 0
  const row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let line = 0; line < a.length; line++) {
    let diagonal = row[0] ?? 0
    row[0] = line + 1
    for (let at = 1; at <= b.length; at++) {
      const above = row[at] ?? 0
      const changed = diagonal + (a.charCodeAt(line) === b.charCodeAt(at - 1) ? 0 : 1)
      row[at] = Math.min(changed, above + 1, (row[at - 1] ?? 0) + 1)
      diagonal = above
    }
  }
  return row.at(-1) ?? 0
}

/** Compares Chinese characters by their pronunciation. */
interface Syllables {
  /** 0 for the same syllable, 0.5 for one that many speakers do not distinguish (zh and z, n and l, in and ing), otherwise 1. */
  apart(a: string, b: string): number
}

interface Syllable {
  readonly exact: string
  readonly loose: string
}

/** Loads the pinyin tables, which takes a moment the first time. */
async function createSyllables(): Promise<Syllables> {
  const { pinyin } = await import('pinyin-pro')
  const syllables = new Map<string, Syllable>()
  const syllableOf = (character: string): Syllable => {
    const known = syllables.get(character)
    if (known) return known
    const exact = /\p{sc=Han}/u.test(character) ? pinyin(character, { toneType: 'none' }) : ''
    const syllable = { exact, loose: looseOf(exact) }
    syllables.set(character, syllable)
    return syllable
  }
  return {
    apart(a, b) {
      const one = syllableOf(a)
      const other = syllableOf(b)
      if (one.exact === '' || other.exact === '') return 1
      if (one.exact === other.exact) return 0
      return one.loose === other.loose ? 0.5 : 1
    },
  }
}

/** The syllable without distinctions that accents blur. */
const looseOf = (syllable: string): string =>
  syllable
    .replace(/^([zcs])h/, '$1')
    .replace(/^[nr]/, 'l')
    .replace(/^hu(?=[aoe])/, 'f')
    .replace(/([aei])ng$/, '$1n')
