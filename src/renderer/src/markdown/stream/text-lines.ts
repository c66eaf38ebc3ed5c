/** A text by its lines, as a parser counts them. */
export interface TextLines {
  readonly count: number
  /** Number of complete lines. */
  readonly complete: number
  /** Start of a line; the length of the text for lines beyond its end. */
  start(line: number): number
  isEmpty(line: number): boolean
  /** Lines from `from` (included) to `to` (excluded). */
  text(from: number, to: number): string
}

/** Indexes the lines of a text. */
export function linesOf(text: string): TextLines {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const start = (line: number): number => starts[line] ?? text.length
  return {
    count: starts.length,
    complete: starts.length - 1,
    start,
    isEmpty: (line) => text.slice(start(line), start(line + 1)).trim() === '',
    text: (from, to) => text.slice(start(from), start(to)),
  }
}
