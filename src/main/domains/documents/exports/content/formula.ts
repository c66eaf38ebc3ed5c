import katex from 'katex'

/** Maximum length of a rendered formula, in UTF-16 units. */
const maxLength = 20_000
/** Commands that define commands could expand a formula endlessly. */
const defines =
  /\\(?:[gex]?def|let|futurelet|(?:re|provide)?newcommand|providecommand|renewcommand)(?![a-zA-Z])/

/**
 * Returns MathML of a formula (with its LaTeX as annotation); null for invalid or excessive LaTeX: then the LaTeX is
 * shown.
 */
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
    // Invalid LaTeX throws a ParseError, endlessly nested formulas a RangeError; both are shown verbatim.
    return null
  }
}
