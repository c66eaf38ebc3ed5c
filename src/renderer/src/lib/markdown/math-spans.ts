import { limits } from './limits.ts'

/** Returns a search for the next match from a position; matches are cached, so that the text is scanned once. */
function ahead(text: string, what: string): (from: number) => number {
  let found = -2
  return (from) => {
    if (found !== -1 && found < from) found = text.indexOf(what, from)
    return found
  }
}

/** Positions of backtick runs by their length, in order. */
function backtickRuns(text: string): ReadonlyMap<number, readonly number[]> {
  const runs = new Map<number, number[]>()
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const places = runs.get(run.length)
    if (places) places.push(index)
    else runs.set(run.length, [index])
  }
  return runs
}

/** The first of sorted positions at or after `from`; -1 if there is none. */
function firstFrom(places: readonly number[], from: number): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((places[middle] ?? 0) < from) low = middle + 1
    else high = middle
  }
  return places[low] ?? -1
}

/** Maximum characters of a tag or a URL. */
const maxLength = 2000

/**
 * Returns, for one text, the end of the non-prose at a position, or the position itself in prose. Code in backticks,
 * fenced code, `<code>` and `<pre>`, tags and link URLs are not prose.
 */
function skipsOf(text: string): (at: number) => number {
  const runs = backtickRuns(text)
  const closings = { code: ahead(text, '</code'), pre: ahead(text, '</pre') }
  /** Whether only quote marks, list marks and spaces precede a position on its line. */
  const beginsLine = (at: number): boolean => {
    const near = text.slice(Math.max(0, at - 40), at)
    const line = near.lastIndexOf('\n')
    return (
      (line !== -1 || at <= 40) && /^[ \t>]*(?:[-*+] +|\d{1,9}[.)] +)?$/.test(near.slice(line + 1))
    )
  }

  const codeSpan = (at: number): number => {
    let past = at
    while (text[past] === '`') past += 1
    const length = past - at
    if (length >= 3 && beginsLine(at)) return fenced(text, at, length)
    const end = firstFrom(runs.get(length) ?? [], past)
    return end === -1 ? past : end + length
  }
  const tildes = (at: number): number => {
    let past = at
    while (text[past] === '~') past += 1
    return past - at >= 3 && beginsLine(at) ? fenced(text, at, past - at) : past
  }
  const tag = (at: number): number => {
    if (!/[a-z/!?]/i.test(text[at + 1] ?? '')) return at
    const near = text.slice(at, at + maxLength)
    const name = /^<(code|pre)(?=[\s>])/i.exec(near)?.[1]?.toLowerCase()
    if (name === 'code' || name === 'pre') {
      const end = closings[name](at)
      if (end !== -1) return end
    }
    // A formula may contain `a<b`: text with a dollar sign and without `=` is not a tag.
    const found = /^<[^<>]*>/.exec(near)?.[0]
    return found && (!found.includes('$') || found.includes('=')) ? at + found.length : at
  }
  const address = (at: number): number => {
    if (text[at + 1] !== '(') return at
    const found = /^\]\([^\s()]*\)/.exec(text.slice(at, at + maxLength))?.[0]
    return found ? at + found.length : at
  }
  return (at) => {
    switch (text[at]) {
      case '`':
        return codeSpan(at)
      case '~':
        return tildes(at)
      case '<':
        return tag(at)
      case ']':
        return address(at)
      default:
        return at
    }
  }
}

/** End of the fenced code at a position: after its closing fence, or the end of the text. */
function fenced(text: string, at: number, length: number): number {
  const fence = (text[at] ?? '').repeat(length)
  let line = text.indexOf('\n', at)
  while (line !== -1) {
    const next = text.indexOf('\n', line + 1)
    const content = text.slice(line + 1, next === -1 ? text.length : next)
    if (content.replace(/^[ \t>]*/, '').startsWith(fence)) return line + 1 + content.length
    line = next
  }
  return text.length
}

/** A formula extracted from a text. */
export interface Formula {
  /** LaTeX without its delimiters. */
  readonly tex: string
  /** Whether it is a display formula. */
  readonly display: boolean
  /** Its original text. */
  readonly source: string
}

/** A text with markers in place of formulas, and the formulas in order. */
export interface CutText {
  readonly text: string
  readonly formulas: readonly Formula[]
}

// Noncharacters: they never occur in text, and HTML and Markdown leave them unchanged.
const open = '\u{FDD0}'
const close = '\u{FDD1}'

/** Matches the markers of {@link cutMath} in a text; its group is the formula's index. */
export const markers = /\u{FDD0}(\d+)\u{FDD1}/gu

/** A syntax for formulas. */
interface MathDelimiter {
  readonly begin: string
  readonly end: string
  readonly display: boolean
  readonly maxLength: number
  readonly accepts: (inside: string, after: string) => boolean
}

const blankLine = /\n[ \t]*\n/
const hasMath = /[\\^_={}<>+|]/

/** All syntaxes for formulas, longer opening delimiters before their prefixes. */
export const ways: readonly MathDelimiter[] = [
  {
    begin: '$$',
    end: '$$',
    display: true,
    maxLength: limits.formulaChars * 4,
    accepts: (inside) => inside.trim() !== '',
  },
  {
    begin: '\\[',
    end: '\\]',
    display: true,
    maxLength: limits.formulaChars * 4,
    // Escaped brackets around numbers are a citation.
    accepts: (inside) => inside.trim() !== '' && !/^[\d\s,;–-]+$/.test(inside),
  },
  {
    begin: '\\(',
    end: '\\)',
    display: false,
    maxLength: limits.formulaChars,
    accepts: (inside) => inside.trim() !== '' && !blankLine.test(inside),
  },
  { begin: '$', end: '$', display: false, maxLength: limits.formulaChars, accepts: isInline },
]

/** Whether the text between two dollar signs is a formula, and not words between two prices. */
function isInline(inside: string, after: string): boolean {
  const tex = plainTex(inside).trim()
  if (tex === '' || blankLine.test(inside) || /\d/.test(after)) return false
  const [before, behind] = [/^\s/.test(inside), /\s$/.test(inside)]
  if (before !== behind) return false
  if (hasMath.test(tex)) return true
  // Prose that happens to be between two amounts.
  return !/\s/.test(tex) || (!/^\d/.test(tex) && !/[\p{L}\p{M}]{3,}/u.test(tex))
}

/** Entities that occur in formulas of HTML tables. */
const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&nbsp;': ' ',
  '&quot;': '"',
  '&#39;': "'",
}

/** LaTeX with HTML entities decoded. */
export function plainTex(tex: string): string {
  return tex.replaceAll(/&(?:lt|gt|amp|nbsp|quot|#39);/g, (entity) => entities[entity] ?? entity)
}

/** Returns a search for a text from a position; matches are cached, so that a text full of opening delimiters is scanned once. */
function finder(text: string, what: string): (from: number) => number {
  let found = -2
  return (from) => {
    if (found === -1 || found >= from) return found
    found = text.indexOf(what, from)
    while (found > 0 && what.startsWith('$') && text[found - 1] === '\\') {
      found = text.indexOf(what, found + 1)
    }
    return found
  }
}

/**
 * Extracts the formulas of a text, `$…$`, `$$…$$`, `\(…\)` and `\[…\]`, and leaves a marker for each: Markdown and HTML then
 * never process them. Code, tags and URLs stay unchanged. Scans the text once, whatever it contains.
 */
export function cutMath(source: string): CutText {
  const text = source.replaceAll(/[\u{FDD0}\u{FDD1}]/gu, '\u{FFFD}')
  const formulas: Formula[] = []
  const parts: string[] = []
  const skip = skipsOf(text)
  const ends = new Map(ways.map((way) => [way, finder(text, way.end)]))
  let from = 0
  let at = 0
  while (at < text.length) {
    const character = text[at]
    if (
      character !== '$' &&
      character !== '\\' &&
      character !== '`' &&
      character !== '<' &&
      character !== '~' &&
      character !== ']'
    ) {
      at += 1
      continue
    }
    const past = skip(at)
    if (past > at) {
      at = past
      continue
    }
    const cut = formulaAt(text, at, ends)
    if (!cut) {
      // A backslash escapes the next character, and two dollar signs stay two.
      at += character === '\\' || text.startsWith('$$', at) ? 2 : 1
      continue
    }
    parts.push(text.slice(from, at), `${open}${formulas.length}${close}`)
    formulas.push(cut.formula)
    at = cut.past
    from = at
  }
  parts.push(text.slice(from))
  return { text: parts.join(''), formulas }
}

function formulaAt(
  text: string,
  at: number,
  ends: ReadonlyMap<MathDelimiter, (from: number) => number>,
): { readonly formula: Formula; readonly past: number } | null {
  const way = ways.find(({ begin }) => text.startsWith(begin, at))
  if (!way) return null
  const begin = at + way.begin.length
  const end = ends.get(way)?.(begin) ?? -1
  if (end === -1 || end - begin > way.maxLength) return null
  const inside = text.slice(begin, end)
  const past = end + way.end.length
  if (!way.accepts(inside, text.slice(past, past + 1))) return null
  return {
    formula: { tex: plainTex(inside).trim(), display: way.display, source: text.slice(at, past) },
    past,
  }
}

/** The LaTeX of a block that is one formula, without its delimiters if it has them. */
export function formulaTex(content: string): string {
  const text = content.trim()
  const way = ways.find(
    ({ begin, end }) =>
      text.startsWith(begin) && text.endsWith(end) && text.length > begin.length + end.length,
  )
  const inside = way ? text.slice(way.begin.length, -way.end.length) : text
  return plainTex(inside).trim()
}
