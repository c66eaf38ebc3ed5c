import { skipsOf } from './literal-spans.ts'
import { limits } from './limits.ts'

/** A formula that was cut out of a text. */
export interface Formula {
  /** LaTeX without its delimiters. */
  readonly tex: string
  /** On a line of its own. */
  readonly display: boolean
  /** As it stood in the text. */
  readonly source: string
}

/** A text whose formulas are markers, and the formulas in their order. */
export interface CutText {
  readonly text: string
  readonly formulas: readonly Formula[]
}

// Noncharacters: no text of the world has them, and HTML and Markdown carry them as they are.
const open = '\u{FDD0}'
const close = '\u{FDD1}'

/** Finds the markers of {@link cutMath} in a text; its group is the formula's place. */
export const markers = /\u{FDD0}(\d+)\u{FDD1}/gu

/** A way to write formulas. */
export interface MathDelimiter {
  readonly begin: string
  readonly end: string
  readonly display: boolean
  readonly maxLength: number
  readonly accepts: (inside: string, after: string) => boolean
}

const blankLine = /\n[ \t]*\n/
const hasMath = /[\\^_={}<>+|]/

/** Every way to write formulas, the longer beginnings before those they begin with. */
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
    // Escaped brackets around numbers are a reference.
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

/** Whether what stands between two dollar signs is a formula, and not the words between two prices. */
function isInline(inside: string, after: string): boolean {
  const tex = plainTex(inside).trim()
  if (tex === '' || blankLine.test(inside) || /\d/.test(after)) return false
  const [before, behind] = [/^\s/.test(inside), /\s$/.test(inside)]
  if (before !== behind) return false
  if (hasMath.test(tex)) return true
  // Words of prose that happen to lie between two amounts.
  return !/\s/.test(tex) || (!/^\d/.test(tex) && !/[\p{L}\p{M}]{3,}/u.test(tex))
}

/** Entities that writers of HTML tables leave in formulas. */
const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&nbsp;': ' ',
  '&quot;': '"',
  '&#39;': "'",
}

/** LaTeX as it was meant, where HTML's entities got into it. */
export function plainTex(tex: string): string {
  return tex.replaceAll(/&(?:lt|gt|amp|nbsp|quot|#39);/g, (entity) => entities[entity] ?? entity)
}

/** Looks for a text from a place on; what was found is kept, so that a text full of beginnings is read once. */
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
 * Cuts the formulas out of a text, `$…$`, `$$…$$`, `\(…\)` and `\[…\]`, and leaves a marker for each: Markdown and HTML then
 * never see them. What lies in code, tags and addresses stays as it is. Reads the text once, whatever is in it.
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
      // A backslash takes the next character with it, and two dollar signs stay two.
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

/** The LaTeX of a block that is one formula: without its delimiters, if it has them. */
export function formulaTex(content: string): string {
  const text = content.trim()
  const way = ways.find(
    ({ begin, end }) =>
      text.startsWith(begin) && text.endsWith(end) && text.length > begin.length + end.length,
  )
  const inside = way ? text.slice(way.begin.length, -way.end.length) : text
  return plainTex(inside).trim()
}
