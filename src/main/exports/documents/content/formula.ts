import katex from 'katex'

/** Longest formula that is set, in UTF-16 units. */
const maxLength = 20_000
/** Commands that define commands could grow a formula without end. */
const defines =
  /\\(?:[gex]?def|let|futurelet|(?:re|provide)?newcommand|providecommand|renewcommand)(?![a-zA-Z])/

/** MathML of a formula (with its LaTeX as annotation); null for what is no LaTeX, or too much of it: then the LaTeX is shown. */
export function mathMl(tex: string, display: boolean): string | null {
  if (tex.length > maxLength || defines.test(tex)) return null
  try {
    const html = katex.renderToString(tex, {
      output: 'mathml',
      displayMode: display,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxExpand: 2000,
      maxSize: 50,
    })
    return /<math[\s\S]*<\/math>/.exec(html)?.[0] ?? null
  } catch {
    // Wrong LaTeX throws a ParseError, formulas nested without end a RangeError; both are shown as they are.
    return null
  }
}
