import { skipsOf } from './literal-spans.ts'
import { limits } from './limits.ts'

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
export interface MathDelimiter {
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
