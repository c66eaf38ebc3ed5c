/** Parsing rules for the lines of an open fence. */
export interface Fence {
  /** Offset of its first line. */
  readonly begin: number
  closes(line: string): boolean
  /** A line without the indentation of the fence. */
  strip(line: string): string
}

/** The fence at the start of a text; null if its first line is incomplete, or is not a fence. */
export function fenceOf(text: string): Fence | null {
  const opener = /^( {0,3})(`{3,}|~{3,})[^\n]*\n/.exec(text)
  if (!opener) return null
  const [whole, { length: indent } = '', marks = ''] = opener
  const sign = marks.startsWith('~') ? '~' : '`'
  const closing = new RegExp(`^ {0,3}${sign}{${marks.length},}[ \\t]*$`)
  return {
    begin: whole.length,
    closes: (line) => closing.test(line),
    strip: (line) => (indent === 0 ? line : stripped(line, indent)),
  }
}

function stripped(line: string, indent: number): string {
  let columns = 0
  let at = 0
  for (; columns < indent; at++) {
    if (line[at] === ' ') columns += 1
    else if (line[at] === '\t') columns += 4 - (columns % 4)
    else break
  }
  return ' '.repeat(Math.max(0, columns - indent)) + line.slice(at)
}
