import { doubleMetaphone } from 'double-metaphone'
import { pinyin } from 'pinyin-pro'
import { fold } from '../../../../shared/text/fold.ts'
import { plainWords } from './words.ts'

/** Looks for words in texts by their sound. */
export interface Ear {
  /** True when some word (or words in a row) of the text sounds like one of those looked for without being it. */
  hears(text: string): boolean
}

interface Target {
  readonly words: readonly string[]
  readonly code: string
}

const han = /\p{sc=Han}/u

/**
 * An ear for these words. Alphabets are compared by Double Metaphone over words in a row, however they were parted ("cooper
 * net ease" for Kubernetes); Han by pinyin without tones. Words that stand there as they are need no other hearing.
 */
export function createEar(words: readonly string[]): Ear {
  const latin: Target[] = []
  const chinese: Target[] = []
  for (const word of words) {
    const parts = plainWords(word)
    if (parts.length === 0) continue
    if (parts.every((part) => han.test(part))) {
      chinese.push({ words: parts, code: parts.map(syllable).join(' ') })
    } else latin.push({ words: parts, code: codeOf(parts) })
  }
  return {
    hears(text) {
      const said = plainWords(text)
      return (
        latin.some((target) => soundsInside(said, target)) ||
        chinese.some((target) => pinyinInside(said, target))
      )
    },
  }
}

/** Words one longer than the target may be parted into. */
const spread = 2

function soundsInside(said: readonly string[], target: Target): boolean {
  if (target.code.length < 2) return false
  const allowed = editsFor(target.code)
  const letters = target.words.join('')
  const least = Math.max(1, target.words.length - 1)
  for (let from = 0; from < said.length; from++) {
    for (let size = least; size <= target.words.length + spread; size++) {
      const group = said.slice(from, from + size)
      if (group.length < size || group.some((word) => han.test(word))) break
      const spelled = group.join('')
      if (spelled === letters) continue
      const code = codeOf(group)
      if (Math.abs(code.length - target.code.length) > allowed) continue
      // The code forgets vowels: the letters must be alike as well.
      const alike = edits(spelled, letters) <= Math.max(spelled.length, letters.length) * 0.55
      if (edits(code, target.code) <= allowed && alike) return true
    }
  }
  return false
}

const editsFor = (code: string): number => (code.length >= 7 ? 2 : code.length >= 4 ? 1 : 0)

function pinyinInside(said: readonly string[], target: Target): boolean {
  const size = target.words.length
  if (size < 2) return false
  const sounds = target.code.split(' ')
  for (let from = 0; from + size <= said.length; from++) {
    const group = said.slice(from, from + size)
    if (!group.every((character) => han.test(character))) continue
    if (group.join('') === target.words.join('')) continue
    const cost = group.reduce(
      (sum, character, at) => sum + apart(syllable(character), sounds[at] ?? ''),
      0,
    )
    if (cost <= size / 4) return true
  }
  return false
}

/** 0 for the same syllable, half for one that many speakers do not tell apart (zh and z, n and l, in and ing), else 1. */
function apart(a: string, b: string): number {
  if (a === b) return 0
  return loose(a) === loose(b) ? 0.5 : 1
}

const loose = (sound: string): string =>
  sound
    .replace(/^([zcs])h/, '$1')
    .replace(/^[nr]/, 'l')
    .replace(/^hu(?=[aoe])/, 'f')
    .replace(/([aei])ng$/, '$1n')

const syllables = new Map<string, string>()

/** The pinyin of a character without its tone. */
function syllable(character: string): string {
  const known = syllables.get(character)
  if (known !== undefined) return known
  const sound = pinyin(character, { toneType: 'none' })
  syllables.set(character, sound)
  return sound
}

const codes = new Map<string, string>()

/** The sound of words in a row: the consonants of each, vowels only at the very beginning. */
function codeOf(words: readonly string[]): string {
  return words
    .map((word, at) => (at === 0 ? metaphone(word) : metaphone(word).replace(/^A/, '')))
    .join('')
}

function metaphone(word: string): string {
  const known = codes.get(word)
  if (known !== undefined) return known
  const [code] = doubleMetaphone(fold(word))
  // A long meeting has some thousand different words.
  if (codes.size > 50_000) codes.clear()
  codes.set(word, code)
  return code
}

/** Letters to change, add or take away between two texts. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [line, letter] of Array.from(a).entries()) {
    const next = [line + 1]
    for (let at = 0; at < b.length; at++) {
      const kept = (row[at] ?? 0) + (b[at] === letter ? 0 : 1)
      next.push(Math.min(kept, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
