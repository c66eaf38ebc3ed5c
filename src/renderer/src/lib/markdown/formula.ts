import katex from 'katex'
import { limits } from './limits.ts'

/** Reason why a formula is shown as its source. */
export type FormulaProblem = 'long' | 'deep' | 'wrong'

/** A formula ready for insertion into the page, or the reason why not. */
type DrawnFormula =
  | { readonly ok: true; readonly element: HTMLElement }
  | { readonly ok: false; readonly why: FormulaProblem }

const settings = {
  throwOnError: true,
  strict: false,
  trust: false,
  maxExpand: limits.expansions,
  maxSize: limits.formulaSize,
} as const

/** Whether a formula's braces and roots are nested too deeply, since the browser lays them out recursively. */
export function isDeep(tex: string): boolean {
  let depth = 0
  for (const [token] of tex.matchAll(/\\(?:left|right|begin|end|middle)(?![a-z])|\\.|[{}]/gsu)) {
    if (token === '{' || token === '\\left' || token === '\\begin') depth += 1
    else if (token === '}' || token === '\\right' || token === '\\end') depth -= 1
    if (depth > limits.formulaDepth) return true
  }
  // Roots, accents and similar commands take the next command without braces.
  return /(?:\\[a-z]+\s*){60}/i.test(tex) || /(?:[\^_]\s*(?:\\[a-z]*\s*|[a-z]+\s*)?){60}/i.test(tex)
}

/** Whether an element's tree is too large or too deep for the page to lay out at once. */
function isVast(element: Element): boolean {
  let nodes = 0
  const tooDeep = (node: Element, level: number): boolean => {
    nodes += 1
    if (level > limits.formulaLevels || nodes > limits.formulaNodes) return true
    for (const child of node.children) if (tooDeep(child, level + 1)) return true
    return false
  }
  return tooDeep(element, 0)
}

/**
 * Draws a formula: the visible part and MathML for screen readers and copies. A formula that is too long, becomes too large
 * or is invalid is not drawn. `small` draws MathML alone, a third of the elements.
 */
export function drawFormula(tex: string, display: boolean, small = false): DrawnFormula {
  if (tex.length > limits.formulaChars) return { ok: false, why: 'long' }
  if (isDeep(tex)) return { ok: false, why: 'deep' }
  const element = document.createElement('span')
  try {
    katex.render(tex, element, {
      ...settings,
      displayMode: display,
      output: small ? 'mathml' : 'htmlAndMathml',
    })
  } catch (error) {
    return { ok: false, why: error instanceof katex.ParseError ? 'wrong' : 'deep' }
  }
  return isVast(element) ? { ok: false, why: 'deep' } : { ok: true, element }
}

/** A formula as MathML, for other programs; null if it is invalid. */
export function formulaMathml(tex: string, display: boolean): string | null {
  if (tex.length > limits.formulaChars || isDeep(tex)) return null
  try {
    const html = katex.renderToString(tex, { ...settings, displayMode: display, output: 'mathml' })
    return /<math[\s>].*<\/math>/s.exec(html)?.[0] ?? null
  } catch {
    return null
  }
}
