import rules from './find.css?inline'

let sheet: CSSStyleSheet | null = null

/**
 * Shows ranges in the colors of a highlight of find.css, or removes it if there are none. The rules are in the page only while
 * something is highlighted: the browser computes the styles of every highlight for every element, which takes a fifth of the
 * memory of a long text.
 */
export function showHighlight(name: string, ranges: readonly Range[]): void {
  if (ranges.length > 0) CSS.highlights.set(name, new Highlight(...ranges))
  else CSS.highlights.delete(name)
  applyRules(CSS.highlights.size > 0)
}

function applyRules(needed: boolean): void {
  const others = document.adoptedStyleSheets.filter((one) => one !== sheet)
  const isApplied = others.length < document.adoptedStyleSheets.length
  if (needed === isApplied) return
  if (!sheet) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(rules)
  }
  document.adoptedStyleSheets = needed ? [...others, sheet] : others
}
