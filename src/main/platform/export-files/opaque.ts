import type { Formula } from './nodes.ts'

/** An image in the provider's Markdown: a page and four numbers in the response's own unit. */
export interface Placeholder {
  readonly type: 'placeholder'
  readonly alt: string
  readonly numbers: readonly number[]
  /** Index of the placeholder in the text, from 0. */
  readonly index: number
}

/** A text without the parts that Markdown must not parse. */
export interface Opaque {
  /** The text, with each part replaced by its number between two marks. */
  readonly text: string
  /** A private-use character that occurs nowhere else in the text. */
  readonly mark: string
  readonly fragments: readonly OpaqueFragment[]
}

/** A part as it was written; code only if requested. */
interface OpaqueFragment {
  readonly source: string
  readonly node: Formula | Placeholder | { readonly type: 'code' }
}

/** Maximum length of an inline formula, in UTF-16 units: two dollar signs further apart are prices. */
const maxInlineLength = 2000
const placeholder = /!\[([^\]\n]{0,500})\]\(\s*page=\d{1,6},\s*bbox=\[([-\d.,\s]{1,200})\]\s*\)/y

/**
 * Cuts formulas (`$`, `$$`, `\(`, `\[`) and placeholders of images out of Markdown; formulas in code are left alone, and
 * code is cut out with `code`. Linear in the length of the text.
 */
export function cutOpaque(text: string, code: 'code' | 'leave' = 'leave'): Opaque {
  const mark = freeMark(text)
  const fragments: OpaqueFragment[] = []
  const out: string[] = []
  const find = {
    display: finder(text, '$$'),
    round: finder(text, '\\)'),
    square: finder(text, '\\]'),
  }
  const dollar = closingDollar(text)
  const codeEnds = codeEnd(text)
  let placeholders = 0
  let from = 0

  const cut = (end: number, at: number, node: OpaqueFragment['node']): number => {
    out.push(text.slice(from, at), `${mark}${fragments.length}${mark}`)
    fragments.push({ source: text.slice(at, end), node })
    from = end
    return end
  }
  const formula = (at: number, open: number, close: number, display: boolean): number => {
    const tex = close < 0 ? '' : text.slice(at + open, close).trim()
    return tex === '' ? at + open : cut(close + open, at, { type: 'formula', tex, display })
  }

  for (let at = 0; at < text.length;) {
    const two = text.slice(at, at + 2)
    if (text[at] === '`' || two === '~~') {
      const end = codeEnds(at)
      const isCode = end > at + 2 && code === 'code'
      at = isCode ? cut(end, at, { type: 'code' }) : end
    } else if (two === '$$') at = formula(at, 2, find.display(at + 2), true)
    else if (two === '\\(') at = formula(at, 2, find.round(at + 2), false)
    else if (two === '\\[') at = formula(at, 2, find.square(at + 2), true)
    else if (text[at] === '\\') at += 2
    else if (text[at] === '$') at = formula(at, 1, dollar(at), false)
    else if (two === '![') {
      placeholder.lastIndex = at
      const [source = '', alt = '', numbers = ''] = placeholder.exec(text) ?? []
      if (source === '') at += 2
      else
        at = cut(at + source.length, at, {
          type: 'placeholder',
          alt,
          numbers: numbers.split(',').map(Number),
          index: placeholders++,
        })
    } else at += 1
  }
  out.push(text.slice(from))
  return { text: out.join(''), mark, fragments }
}

/**
 * Returns a private-use character that the text does not contain; if all 6,400 are used, the parts of the last one are
 * treated as text.
 */
function freeMark(text: string): string {
  for (let code = 0xe000; code < 0xf8ff; code += 1)
    if (!text.includes(String.fromCharCode(code))) return String.fromCharCode(code)
  return '\uf8ff'
}

/** Finds the next occurrence of a string from increasing positions, never reading a character twice. */
function finder(text: string, wanted: string): (from: number) => number {
  let last = -2
  return (from) => {
    if (last !== -1 && last < from) last = text.indexOf(wanted, from)
    return last
  }
}

/**
 * Returns the end of the formula that a dollar sign opens: the next dollar sign, not after a space, not before a digit,
 * in the same paragraph; -1 for a price.
 */
function closingDollar(text: string): (at: number) => number {
  const next = finder(text, '$')
  return (at) => {
    if (/[\s$]/.test(text[at + 1] ?? ' ')) return -1
    let close = next(at + 1)
    while (close > 0 && text[close - 1] === '\\') close = next(close + 1)
    if (close === -1 || close - at > maxInlineLength) return -1
    if (/\s/.test(text[close - 1] ?? ' ') || /[\d$]/.test(text[close + 1] ?? ' ')) return -1
    return /\n[ \t]*\n/.test(text.slice(at, close)) ? -1 : close
  }
}

/** Returns the end of code that begins here; after its marks when it never ends. */
function codeEnd(text: string): (at: number) => number {
  // Lengths of runs that were searched to the end without success.
  const missing = new Set<string>()
  return (at) => {
    const [run = ''] = /^(?:`+|~+)/.exec(text.slice(at, at + 200)) ?? []
    const inside = at + run.length
    const lineStart = /(^|\n) {0,3}$/.test(text.slice(Math.max(0, at - 4), at))
    const fence = lineStart && run.length >= 3
    if (!fence && run.startsWith('~')) return inside
    const key = `${fence ? '\n' : ''}${run}`
    if (missing.has(key)) return fence ? text.length : inside
    const found = fence ? text.indexOf(`\n${run}`, inside) : closingRun(text, run, inside)
    if (found >= 0) return found + run.length + (fence ? 1 : 0)
    missing.add(key)
    return fence ? text.length : inside
  }
}

/** Finds the next run of exactly as many marks; -1 when there is none. */
function closingRun(text: string, run: string, from: number): number {
  for (let at = text.indexOf(run, from); at >= 0;) {
    let end = at
    while (text[end] === '`') end += 1
    if (end - at === run.length) return at
    at = text.indexOf(run, end)
  }
  return -1
}
