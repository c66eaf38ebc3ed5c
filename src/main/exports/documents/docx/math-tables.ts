import type { MathAccentName, MathBraceShape, MathLargeOperatorName } from 'docx/math'

/** Operators with limits, by character. */
export const largeOperators: Readonly<Record<string, MathLargeOperatorName>> = {
  '∑': 'sum',
  '∏': 'product',
  '∐': 'coproduct',
  '⋃': 'union',
  '⋂': 'intersection',
  '⨆': 'squareUnion',
  '⨄': 'multisetUnion',
  '⋁': 'logicalOr',
  '⋀': 'logicalAnd',
  '⨁': 'directSum',
  '⨂': 'tensorProduct',
  '⨀': 'circledDot',
  '∫': 'integral',
  '∬': 'doubleIntegral',
  '∭': 'tripleIntegral',
  '⨌': 'quadrupleIntegral',
  '∮': 'contourIntegral',
  '∯': 'surfaceIntegral',
  '∰': 'volumeIntegral',
}

/** Accents by the character that MathML puts over the letter. */
export const accents: Readonly<Record<string, MathAccentName>> = {
  '^': 'hat',
  ˆ: 'hat',
  ˇ: 'check',
  '~': 'tilde',
  '˜': 'tilde',
  '´': 'acute',
  ˊ: 'acute',
  '`': 'grave',
  ˋ: 'grave',
  '˙': 'dot',
  '¨': 'doubleDot',
  '⃛': 'tripleDot',
  '˘': 'breve',
  ˉ: 'bar',
  '¯': 'bar',
  '˚': 'ring',
  '⃗': 'rightArrow',
  '→': 'rightArrow',
  '←': 'leftArrow',
  '↔': 'leftRightArrow',
  '⇀': 'rightHarpoon',
  '↼': 'leftHarpoon',
}

/** Braces above and below, by character. */
export const braces: Readonly<Record<string, MathBraceShape>> = {
  '⏞': 'curly',
  '⏟': 'curly',
  '⎴': 'square',
  '⎵': 'square',
  '⏜': 'round',
  '⏝': 'round',
  '⏠': 'round',
  '⏡': 'round',
}

/** Characters of lines above or below. */
export const lines: ReadonlySet<string> = new Set(['‾', '_', '―', '‗', '⎯', '\u0332', '\u0305'])
