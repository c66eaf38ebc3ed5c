import { Math as Equation, type MathComponent } from 'docx'
import { cleanText } from '../content/clean.ts'
import { mathMl } from '../content/formula.ts'
import { componentsOf } from './math-components.ts'
import { parseMathMl } from './mathml.ts'

/**
 * Returns a formula as an editable Word equation; null if it is not LaTeX or has no counterpart, and is written as LaTeX
 * text.
 */
export function equationOf(tex: string, display: boolean): Equation | null {
  const math = mathMl(cleanText(tex), display)
  if (math === null) return null
  const children: readonly MathComponent[] | null = componentsOf(parseMathMl(math))
  return children && children.length > 0 ? new Equation({ children }) : null
}
