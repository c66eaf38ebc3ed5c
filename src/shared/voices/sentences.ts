/** Quality of a position as a split point. */
export const breakRank = { character: 0, space: 1, clause: 2, sentence: 3, paragraph: 4 } as const

/** One of {@link breakRank}. */
type BreakRank = (typeof breakRank)[keyof typeof breakRank]

/** A split point of a text: after the following white space, so that the joined pieces are the text again. */
export interface TextBreak {
  /** UTF-16 offset of the next piece. */
  readonly at: number
  readonly rank: BreakRank
}

/** Abbreviations that never end a sentence, since a name or number follows. */
const leading = new Set(
  'mr mrs ms mx dr prof st rev hon gen col maj capt lt sgt sen rep gov pres messrs mme mlle vs cf e.g i.e eg ie no nos fig figs eq p pp vol ch sec art approx ca dept est'.split(
    ' ',
  ),
)
/** Abbreviations that end a sentence only when a capital letter follows that begins a new one. */
const trailing = new Set(
  'etc inc ltd co corp llc jr sr a.m p.m u.s u.k u.n e.u d.c ph.d b.c a.d jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun al min max sq ft in'.split(
    ' ',
  ),
)
/** Words that are sentences or sentence ends as often as abbreviations, unless a number follows. */
const beforeNumbers = new Set([
  'no',
  'nos',
  'p',
  'pp',
  'art',
  'ch',
  'sec',
  'in',
  'mar',
  'sat',
  'sun',
  'max',
  'min',
  'fig',
  'figs',
  'eq',
  'vol',
  'ca',
  'est',
  'dec',
  'mon',
  'wed',
])

const closers = /["'”’»」』）)\]}】》〉]/u
const wideEnd = /[。！？｡]/u
const wideClause = /[，、；：]/u
const spaceAt = /\s/u
const lower = /\p{Ll}/u
const upper = /\p{Lu}/u
const digit = /\p{Nd}/u

/**
 * Returns all split points of a text in order: ends of paragraphs, sentences and clauses, and spaces between words. Periods
 * in abbreviations, initials, numbers, list markers and URLs end nothing; closing quotes and brackets belong to what they
 * close. Linear in the length of the text.
 */
export function textBreaks(text: string): readonly TextBreak[] {
  const breaks: TextBreak[] = []
  const put = (at: number, rank: BreakRank): void => {
    const last = breaks.at(-1)
    if (at <= 0 || at >= text.length) return
    if (last && last.at === at) {
      if (rank > last.rank) breaks[breaks.length - 1] = { at, rank }
      return
    }
    breaks.push({ at, rank })
  }
  const lines = lineRanks(text)
  let at = 0
  while (at < text.length) {
    if (isPlain(text.charCodeAt(at))) {
      at += 1
      continue
    }
    const sign = text[at] ?? ''
    if (spaceAt.test(sign)) {
      const end = skip(text, at, spaceAt)
      put(end, lines.rankOf(at, end))
      at = end
      continue
    }
    if (!isSign(sign)) {
      at += 1
      continue
    }
    const from = at
    at = skip(text, at, signOf(sign))
    const rank = rankOfSigns(text, from, at)
    if (rank === null) continue
    const closed = rank === breakRank.clause ? at : skip(text, at, closers)
    const end = skip(text, closed, spaceAt)
    at = end
    put(end, Math.max(rank, lines.rankOf(closed, end)) as BreakRank)
  }
  return breaks
}

/**
 * Returns whether a unit is an ASCII letter or digit, Han, Kana or Hangul: most of any text, which needs no further checks.
 */
const isPlain = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) ||
  (unit >= 0x30 && unit <= 0x39) ||
  (unit >= 0x41 && unit <= 0x5a) ||
  (unit >= 0x3041 && unit <= 0x9fff) ||
  (unit >= 0xac00 && unit <= 0xd7a3)

const isSign = (sign: string): boolean => /[.!?…。！？｡，、；：,;:—–]/u.test(sign)

/** Returns a pattern for punctuation that continues the first character: `?!`, `...`, `……`. */
function signOf(sign: string): RegExp {
  if (/[.!?…。！？｡]/u.test(sign)) return /[.!?…。！？｡]/u
  return /[—–]/u.test(sign) ? /[—–]/u : /[，、；：,;:]/u
}

function skip(text: string, from: number, what: RegExp): number {
  let at = from
  while (at < text.length && what.test(text[at] ?? '')) at += 1
  return at
}

/** Returns what a run of punctuation ends; null for nothing. */
function rankOfSigns(text: string, from: number, to: number): BreakRank | null {
  const signs = text.slice(from, to)
  if (wideEnd.test(signs)) return breakRank.sentence
  if (wideClause.test(signs)) return breakRank.clause
  const closed = skip(text, to, closers)
  const next = skip(text, closed, spaceAt)
  const apart = next > closed || next >= text.length
  if (/^[—–]+$/u.test(signs)) return breakRank.clause
  if (/^[,;:]/u.test(signs)) return next > to ? breakRank.clause : null
  // In Chinese an ellipsis has no space after it.
  if (signs.startsWith('…') && !apart) return breakRank.clause
  if (!apart) return null
  const following = text[next] ?? ''
  if (lower.test(following)) return /^\.$/.test(signs) ? null : breakRank.clause
  if (signs !== '.') return breakRank.sentence
  return endsSentence(text, from, following) ? breakRank.sentence : null
}

/** Returns whether a period followed by a space ends a sentence; `following` is the text after the space. */
function endsSentence(text: string, stop: number, following: string): boolean {
  let from = stop
  while (from > 0 && stop - from < 24 && /[\p{L}\p{N}.]/u.test(text[from - 1] ?? '')) from -= 1
  const word = text.slice(from, stop)
  // `1. First`, `a. First`: a list marker at the beginning of its line.
  if (/^(\d{1,3}|[a-zA-Z])$/.test(word) && beginsLine(text, from)) return false
  const plain = word.toLowerCase()
  if (beforeNumbers.has(plain)) return !digit.test(following)
  if (leading.has(plain)) return false
  if (trailing.has(plain)) return upper.test(following) || !/[\p{L}\p{N}]/u.test(following)
  // Initials: `J. K. Rowling`. The word `I` can still end a sentence.
  if (/^(\p{Lu}\.)*\p{Lu}$/u.test(word) && word !== 'I') return !upper.test(following)
  return true
}

/** Maximum length of an indent. */
const maxIndentLength = 40

function beginsLine(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - maxIndentLength), at)
  return before.trim() === '' ? at <= maxIndentLength : /[\n\r][^\S\n\r]*$/u.test(before)
}

/** Ranks the white space between two positions by its line breaks. */
function lineRanks(text: string): { rankOf(from: number, to: number): BreakRank } {
  const wrapped = wrappedBlocks(text)
  return {
    rankOf(from, to) {
      const space = text.slice(from, to)
      const ends = space.split(/\r\n|[\n\r\u2028\u2029\u0085]/).length - 1
      if (ends === 0) return breakRank.space
      if (ends > 1) return breakRank.paragraph
      return wrapped(from) ? breakRank.space : breakRank.paragraph
    },
  }
}

/** Lines of at least this length that end within a sentence were wrapped at a page width. */
const wrappedFrom = 40

/**
 * Returns a predicate for whether the block at an offset (lines between empty ones) was wrapped at a page width, so that its
 * line breaks mean nothing.
 */
function wrappedBlocks(text: string): (at: number) => boolean {
  const blocks: { readonly end: number; readonly wrapped: boolean }[] = []
  for (const match of text.matchAll(/[^\n]*(?:\n(?![^\S\n]*\n)[^\n]*)*(?:\n|$)/gu)) {
    if (match[0] === '') continue
    const lines = match[0].trim().split('\n')
    const wrapped = lines
      .slice(0, -1)
      .some(
        (line) => line.length >= wrappedFrom && !/[.!?…:。！？：]["'”’」』）)\]]*\s*$/u.test(line),
      )
    blocks.push({ end: match.index + match[0].length, wrapped })
  }
  let block = 0
  return (at) => {
    if (at < (blocks[block - 1]?.end ?? 0)) block = 0
    while (block < blocks.length - 1 && at >= (blocks[block]?.end ?? 0)) block += 1
    return blocks[block]?.wrapped ?? false
  }
}
