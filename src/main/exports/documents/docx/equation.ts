import { Math as Equation, type MathComponent } from 'docx'
import { cleanText } from '../content/clean.ts'
import { mathMl } from '../content/formula.ts'
import { componentsOf } from './math-components.ts'
import { parseMathMl } from './mathml.ts'

/** A formula as an equation Word can edit; null for what is no LaTeX, or uses what has no counterpart: then its LaTeX is words. */
export function equationOf(tex: string, display: boolean): Equation | null {
  const math = mathMl(cleanText(tex), display)
  if (math === null) return null
  const children: readonly MathComponent[] | null = componentsOf(parseMathMl(math))
  return children && children.length > 0 ? new Equation({ children }) : null
}
