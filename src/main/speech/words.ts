import { foldWithOffsets } from '../../shared/text/fold.ts'
import { chineseNumbers, englishNumbers, type Word } from './numbers.ts'
import { simplified } from './simplified.ts'

/** Symbols that are pronounced. */
const signWords: Readonly<Record<string, string>> = {
  '%': 'percent',
  '&': 'and',
  '+': 'plus',
  '=': 'equals',
  '@': 'at',
  '°': 'degrees',
  '€': 'euros',
  '£': 'pounds',
  $: 'dollars',
  '¥': 'yuan',
}

/** Abbreviations that are pronounced in full. */
const longForms: Readonly<Record<string, string>> = {
  dr: 'doctor',
  mr: 'mister',
  mrs: 'missus',
  st: 'saint',
  prof: 'professor',
  vs: 'versus',
  okay: 'ok',
  cannot: 'cant',
  gonna: 'going to',
  wanna: 'want to',
  元: 'yuan',
  块: 'yuan',
}

/** Expansions of contractions that can be recognized by their ending alone. */
const endings: readonly (readonly [RegExp, string])[] = [
  [/^(can)not$/, '$1 not'],
  [/^(wo)n't$/, 'will not'],
  [/^(ca)n't$/, 'can not'],
  [/^(.+)n't$/, '$1 not'],
  [/^(.+)'re$/, '$1 are'],
  [/^(.+)'ve$/, '$1 have'],
  [/^(.+)'ll$/, '$1 will'],
  [/^i'm$/, 'i am'],
  [/^let's$/, 'let us'],
  [/^(it|he|she|that|there|what|who|where|how)'s$/, '$1 is'],
]

const tokens =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u3007]|\d+(?:[.,:]\d+)*(?:st|nd|rd|th)?|[\p{L}\p{M}]+(?:['’][\p{L}\p{M}]+)*|[%&+=@°€£$¥]/gu

/**
 * Returns the comparable words of a text in order: words of scripts with spaces, single characters of others. Ignores
 * case, width and punctuation; converts Traditional characters to Simplified ones and numbers to digits; expands symbols
 * and contractions.
 */
export function spokenWords(text: string): readonly Word[] {
  const folded = foldWithOffsets(text.replaceAll('’', "'"))
  const plain = Array.from(folded.text.matchAll(tokens)).flatMap(({ 0: token, index }) => {
    const from = folded.starts[index] ?? 0
    const to = folded.ends[index + token.length - 1] ?? from
    return inFull(token).map((word) => ({ word: simplified(word), from, to }))
  })
  return chineseNumbers(englishNumbers(pricesInOrder(plain)))
}

function inFull(token: string): readonly string[] {
  if (/^\d/.test(token)) {
    const digits = token.replaceAll(',', '')
    // 12:30 and 3.14 are pronounced in parts, with or without the point.
    return digits.split(/[.:]/)
  }
  const sign = signWords[token]
  if (sign !== undefined) return [sign]
  const long = longForms[token]
  if (long !== undefined) return long.split(' ')
  for (const [pattern, full] of endings)
    if (pattern.test(token)) return token.replace(pattern, full).split(' ')
  return [token.replaceAll("'", '')]
}

const currencies = new Set(['dollars', 'euros', 'pounds', 'yuan'])

/** Moves a currency sign before an amount behind it, as it is pronounced. */
function pricesInOrder(words: readonly Word[]): readonly Word[] {
  const made = words.slice()
  for (let at = 0; at + 1 < made.length; at++) {
    const [sign, amount] = [made[at], made[at + 1]]
    if (!sign || !amount || sign.to !== amount.from) continue
    if (!currencies.has(sign.word) || !/^\d/.test(amount.word)) continue
    made[at] = amount
    made[at + 1] = sign
    at += 1
  }
  return made
}
