import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it'
import { limits } from '../limits.ts'
import { plainTex, ways, type Formula } from '../math-spans.ts'

/** Maximum number of characters of a display formula. */
const maxBlockLength = limits.formulaChars * 4

const blockDelimiters = [
  { begin: '$$', end: '$$' },
  { begin: '\\[', end: '\\]' },
] as const

/** A display formula: its end, and whether it is complete. */
interface MathBlock {
  readonly tex: string
  readonly nextLine: number
  readonly closed: boolean
}

/**
 * Adds formulas to a parser as part of its grammar: so they end where blocks end, and parsed blocks stay settled. The rules are
 * those of {@link ways}; `$$` or `\[` at the start of a line begins a block, which is open to the end of the text until it is
 * closed.
 */
export function addMath(markdown: MarkdownIt): void {
  markdown.block.ruler.before('table', 'math', mathBlock, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  })
  markdown.inline.ruler.before('escape', 'math', mathInline)
}

function mathBlock(
  state: StateBlock,
  startLine: number,
  endLine: number,
  silent: boolean,
): boolean {
  const found = readBlock(state, startLine, endLine)
  if (!found) return false
  if (silent) return true
  const token = state.push('math', '', 0)
  token.block = true
  token.map = [startLine, found.nextLine]
  token.content = found.tex
  token.markup = state.getLines(startLine, found.nextLine, state.blkIndent, false)
  token.info = found.closed ? 'closed' : 'open'
  state.line = found.nextLine
  return true
}

function readBlock(state: StateBlock, startLine: number, endLine: number): MathBlock | null {
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return null
  const first = lineOf(state, startLine)
  const way = blockDelimiters.find(({ begin }) => first.startsWith(begin))
  if (!way) return null
  const head = first.slice(way.begin.length)
  const inHead = head.indexOf(way.end)
  if (inHead !== -1) {
    if (head.slice(inHead + way.end.length).trim() !== '') return null
    return whole(way.begin, head.slice(0, inHead), startLine + 1)
  }
  // A delimiter alone on its line allows empty lines, as in a fence.
  const alone = head.trim() === ''
  const lines = [head]
  let letters = head.length
  for (let line = startLine + 1; line < endLine; line++) {
    const isEmpty = state.isEmpty(line)
    if (isEmpty ? !alone : (state.sCount[line] ?? 0) < state.blkIndent) return null
    const text = lineOf(state, line)
    const end = text.indexOf(way.end)
    if (end !== -1) {
      if (text.slice(end + way.end.length).trim() !== '') return null
      lines.push(text.slice(0, end))
      return whole(way.begin, lines.join('\n'), line + 1)
    }
    lines.push(text)
    letters += text.length + 1
    if (letters > maxBlockLength) return null
  }
  // A container that ends here will not complete it; the text itself may.
  if (endLine < state.lineMax || state.level > 0 || state.env['goesOn'] !== true) return null
  return { tex: lines.join('\n').trim(), nextLine: endLine, closed: false }
}

function whole(begin: string, inside: string, nextLine: number): MathBlock | null {
  const tex = plainTex(inside).trim()
  // Escaped brackets around numbers are a citation.
  if (tex === '' || (begin === '\\[' && /^[\d\s,;–-]+$/.test(tex))) return null
  return { tex, nextLine, closed: true }
}

const lineOf = (state: StateBlock, line: number): string =>
  state.src.slice(
    (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0),
    state.eMarks[line] ?? state.src.length,
  )

function mathInline(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  const sign = src.charCodeAt(pos)
  if (sign !== 0x24 && sign !== 0x5c) return false
  const way = ways.find(({ begin }) => src.startsWith(begin, pos))
  if (!way) return false
  const begin = pos + way.begin.length
  const end = endOf(src, way.end, begin, begin + way.maxLength)
  if (end === -1) {
    // Two dollar signs stay two.
    if (way.begin !== '$$') return false
    if (!silent) state.pending += '$$'
    state.pos += 2
    return true
  }
  const inside = src.slice(begin, end)
  const past = end + way.end.length
  if (past > state.posMax || !way.accepts(inside, src.slice(past, past + 1))) return false
  if (!silent) {
    const token = state.push('math', '', 0)
    token.content = plainTex(inside).trim()
    token.markup = src.slice(pos, past)
    token.info = way.display ? 'display' : ''
  }
  state.pos = past
  return true
}

function endOf(text: string, what: string, from: number, to: number): number {
  const near = text.slice(from, to + what.length)
  let found = near.indexOf(what)
  while (found > 0 && what.startsWith('$') && near[found - 1] === '\\')
    found = near.indexOf(what, found + 1)
  return found === -1 ? -1 : from + found
}

/** The formula of a token created by {@link addMath}. */
export const formulaOf = (token: {
  readonly content: string
  readonly markup: string
  readonly info: string
}): Formula => ({ tex: token.content, display: token.info !== '', source: token.markup })
