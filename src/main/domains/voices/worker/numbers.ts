/** Token with its position. */
export interface Word {
  /** Normalized for comparison: folded, numbers as digits. */
  readonly word: string
  /** UTF-16 offsets in its text. */
  readonly from: number
  readonly to: number
}

const units: Readonly<Record<string, number>> = Object.fromEntries(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, value) => [word, value]),
)
const tens: Readonly<Record<string, number>> = Object.fromEntries(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, index) => [word, (index + 2) * 10]),
)
const scales: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1000,
  million: 1e6,
  billion: 1e9,
}
const ordinals: Readonly<Record<string, string>> = {
  first: 'one',
  second: 'two',
  third: 'three',
  fourth: 'four',
  fifth: 'five',
  sixth: 'six',
  seventh: 'seven',
  eighth: 'eight',
  ninth: 'nine',
  tenth: 'ten',
  eleventh: 'eleven',
  twelfth: 'twelve',
  thirteenth: 'thirteen',
  twentieth: 'twenty',
  thirtieth: 'thirty',
  hundredth: 'hundred',
}

/**
 * Converts English number words to digits: `twenty-three` equals `23`, and `third` equals `3rd`. Two consecutive numbers
 * that form a year (`nineteen eighty four`) become one.
 */
export function englishNumbers(words: readonly Word[]): readonly Word[] {
  const made: Word[] = []
  for (let at = 0; at < words.length;) {
    const read = readNumber(words, at)
    const word = words[at]
    if (read) {
      const [from, to] = [words[at]?.from ?? 0, words[read.end - 1]?.to ?? 0]
      made.push({ word: read.digits, from, to })
      at = read.end
    } else if (word) {
      made.push(plainOrdinal(word))
      at += 1
    }
  }
  return made
}

/** `3rd` as `3`. */
const plainOrdinal = (word: Word): Word =>
  /^\d+(st|nd|rd|th)$/.test(word.word) ? { ...word, word: word.word.slice(0, -2) } : word

function readNumber(
  words: readonly Word[],
  start: number,
): { readonly digits: string; readonly end: number } | null {
  let total = 0
  let group = 0
  let at = start
  let last: 'none' | 'unit' | 'teen' | 'ten' | 'scale' = 'none'
  /** The first two digits of a year: `nineteen eighty four`. */
  let century = 0
  for (; at < words.length; at++) {
    const raw = words[at]?.word ?? ''
    const ordinal = ordinals[raw]
    const word = ordinal ?? raw
    // `second` alone is as often a unit of time as an ordinal, and `one` alone is an ordinary word.
    if (ordinal !== undefined && at === start && raw === 'second') return null
    if (word === 'and' && last === 'scale' && isNumberWord(words[at + 1]?.word)) continue
    const isA = at === start && raw === 'a' && (words[at + 1]?.word ?? '') in scales
    const unit = isA ? 1 : units[word]
    const ten = tens[word]
    const scale = scales[word]
    if (unit !== undefined) {
      const joins = last === 'none' || last === 'scale' || (last === 'ten' && unit > 0 && unit < 10)
      if (
        !joins &&
        century === 0 &&
        (last === 'teen' || last === 'ten') &&
        unit >= 10 &&
        total === 0
      ) {
        century = group
        group = unit
      } else if (!joins) break
      else group += unit
      last = unit >= 10 ? 'teen' : 'unit'
    } else if (ten !== undefined) {
      const joins = last === 'none' || last === 'scale'
      if (!joins && century === 0 && (last === 'teen' || last === 'ten') && total === 0) {
        century = group
        group = ten
      } else if (!joins) break
      else group += ten
      last = 'ten'
    } else if (scale !== undefined && last !== 'none') {
      if (scale === 100) group *= 100
      else {
        total += group * scale
        group = 0
      }
      last = 'scale'
    } else break
    if (ordinal !== undefined) {
      at += 1
      break
    }
  }
  if (last === 'none') return null
  return { digits: String(century * 100 + total + group), end: at }
}

const isNumberWord = (word: string | undefined): boolean =>
  word !== undefined && (word in units || word in tens || word in ordinals)

const hanDigits: Readonly<Record<string, number>> = {
  零: 0,
  〇: 0,
  一: 1,
  壹: 1,
  二: 2,
  贰: 2,
  两: 2,
  三: 3,
  叁: 3,
  四: 4,
  肆: 4,
  五: 5,
  伍: 5,
  六: 6,
  陆: 6,
  七: 7,
  柒: 7,
  八: 8,
  捌: 8,
  九: 9,
  玖: 9,
}
const hanScales: Readonly<Record<string, number>> = {
  十: 10,
  拾: 10,
  百: 100,
  佰: 100,
  千: 1000,
  仟: 1000,
}
const hanGroups: Readonly<Record<string, number>> = { 万: 10_000, 亿: 100_000_000 }

/**
 * Converts Chinese numerals to digits: `二十三` equals `23`, `二〇二六` equals `2026`, and `百分之五` equals `5%`. A single 一 or 两
 * is converted as well, on both sides of a comparison. `words` are single Chinese characters and words of other scripts.
 */
export function chineseNumbers(words: readonly Word[]): readonly Word[] {
  const made: Word[] = []
  for (let at = 0; at < words.length;) {
    const word = words[at]
    if (!word) break
    const end = hanEnd(words, at)
    if (end === at) {
      made.push(word)
      at += 1
      continue
    }
    const text = words
      .slice(at, end)
      .map((one) => one.word)
      .join('')
    made.push({ word: String(hanValue(text)), from: word.from, to: words[end - 1]?.to ?? word.to })
    at = end
  }
  return percents(made)
}

/** Converts `百分之` before a number to a percent sign after it. */
function percents(words: readonly Word[]): readonly Word[] {
  const made: Word[] = []
  for (let at = 0; at < words.length; at++) {
    const [hundred, part, of, number] = words.slice(at, at + 4)
    if (
      hundred?.word === '100' &&
      part?.word === '分' &&
      of?.word === '之' &&
      number &&
      /^\d/.test(number.word)
    ) {
      made.push(number, { word: 'percent', from: hundred.from, to: of.to })
      at += 3
    } else if (words[at]) made.push(words[at] as Word)
  }
  return made
}

function hanEnd(words: readonly Word[], start: number): number {
  let at = start
  let previous = -1
  while (at < words.length) {
    const word = words[at]
    if (!word || (previous >= 0 && word.from !== previous)) break
    const known = word.word in hanDigits || word.word in hanScales || word.word in hanGroups
    if (!known) break
    previous = word.to
    at += 1
  }
  return at
}

function hanValue(text: string): number | string {
  // Single digits in sequence, as in years and phone numbers.
  if (Array.from(text).every((sign) => sign in hanDigits))
    return Array.from(text, (sign) => hanDigits[sign] ?? 0).join('')
  let [total, group, digit] = [0, 0, 0]
  for (const sign of text) {
    if (sign in hanDigits) digit = hanDigits[sign] ?? 0
    else if (sign in hanScales) {
      group += (digit === 0 ? 1 : digit) * (hanScales[sign] ?? 1)
      digit = 0
    } else {
      total = (total + group + digit || 1) * (hanGroups[sign] ?? 1)
      group = 0
      digit = 0
    }
  }
  return total + group + digit
}
