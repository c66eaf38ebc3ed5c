import {
  Math as Equation,
  type MathComponent,
  MathFraction,
  MathLimitLower,
  MathLimitUpper,
  MathRadical,
  MathSubScript,
  MathSubSuperScript,
  MathSuperScript,
  MathRun,
  type MathRunScript,
  type MathRunStyle,
} from 'docx'
import {
  MathAccent,
  MathBar,
  MathBox,
  MathBrace,
  MathBrackets,
  MathLargeOperator,
  MathMatrix,
  MathPhantom,
  type MathBoxOptions,
  type MathColumnAlignment,
  type MathAccentName,
  type MathBraceShape,
  type MathLargeOperatorName,
} from 'docx/math'
import { Parser } from 'htmlparser2'
import { cleanText } from '../../../../platform/export-files/clean.ts'
import { mathMl } from '../content/formula.ts'

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

type Components = readonly MathComponent[]

/** Converts MathML to Word's equation components; null if it contains something without a counterpart. */
function componentsOf(element: MathElement): Components | null {
  try {
    return part(element)
  } catch (error) {
    if (error instanceof Unknown || error instanceof RangeError) return null
    throw error
  }
}

/** Thrown for an element without a counterpart in Word. */
class Unknown extends Error {}

function part(element: MathElement): Components {
  const { name, attributes, children } = element
  const at = (index: number): Components => {
    const child = children[index]
    return child ? part(child) : []
  }
  switch (name) {
    case 'annotation':
      return []
    case 'semantics':
      return at(0)
    case 'mi':
    case 'mn':
    case 'mo':
    case 'mtext':
    case 'ms':
      return mathRun(element)
    case 'mspace':
      return mathSpace(element)
    case '':
    case 'math':
    case 'mrow':
    case 'mstyle':
    case 'mpadded':
      return row(children)
    case 'mphantom':
      return [new MathPhantom({ children: row(children) })]
    case 'menclose':
      return [boxed(attributes['notation'] ?? '', row(children))]
    case 'mfrac':
      return [
        new MathFraction({
          numerator: at(0),
          denominator: at(1),
          ...(/^0(?![.\d]*[1-9])/.test(attributes['linethickness'] ?? '') && { type: 'noBar' }),
        }),
      ]
    case 'msqrt':
      return [new MathRadical({ children: row(children) })]
    case 'mroot':
      return [new MathRadical({ children: at(0), degree: at(1) })]
    case 'msup':
      return [new MathSuperScript({ children: at(0), superScript: at(1) })]
    case 'msub':
      return [new MathSubScript({ children: at(0), subScript: at(1) })]
    case 'msubsup':
      return [new MathSubSuperScript({ children: at(0), subScript: at(1), superScript: at(2) })]
    case 'munder':
    case 'mover':
      return [overOrUnder(element)]
    case 'munderover':
      return [
        new MathLimitUpper({
          children: [new MathLimitLower({ children: at(0), limit: at(1) })],
          limit: at(2),
        }),
      ]
    case 'mtable':
      return table(element)
    default:
      throw new Unknown(name)
  }
}

/**
 * Converts consecutive elements: stretchy brackets enclose what is between them, large operators take what follows them.
 */
function row(elements: readonly MathElement[]): Components {
  const [first, ...rest] = elements
  const last = rest.at(-1)
  if (isFence(first)) {
    const closed = isFence(last)
    const inside = rest.slice(0, closed ? -1 : undefined)
    // A row with only an opening bracket is a brace in front of cases.
    if (!inside.some(isFence) || closed)
      return [
        new MathBrackets({
          open: first?.text ?? '',
          close: closed ? (last?.text ?? '') : '',
          children: row(inside),
        }),
      ]
  }
  const out: MathComponent[] = []
  for (let at = 0; at < elements.length; at += 1) {
    const element = elements[at]
    if (!element) continue
    const operator = largeOperator(element)
    if (!operator) {
      out.push(...part(element))
      continue
    }
    const end = operandEnd(elements, at + 1)
    out.push(
      new MathLargeOperator({
        operator: operator.operator,
        ...(operator.under && { subScript: part(operator.under) }),
        ...(operator.over && { superScript: part(operator.over) }),
        limits: operator.limits,
        children: row(elements.slice(at + 1, end)),
      }),
    )
    at = end - 1
  }
  return out
}

const isFence = (element: MathElement | undefined): boolean =>
  element?.name === 'mo' &&
  element.attributes['fence'] === 'true' &&
  Array.from(element.text).length <= 1

/**
 * Characters that end the operand of a sum or an integral: a relation, a sign between terms, a separator of formulas.
 */
const endsOperand = /^[=<>≤≥≦≧⩽⩾≠≡≈∼≃≅∝→⇒⇔↔↦+\-−±∓,;≪≫≺≻∈∉⊂⊆⊃⊇:]$/

function operandEnd(elements: readonly MathElement[], from: number): number {
  let end = from
  while (end < elements.length) {
    const { name, text } = elements[end] ?? { name: '', text: '' }
    // A leading sign belongs to the operand.
    if (end > from && name === 'mo' && endsOperand.test(text)) break
    end += 1
  }
  return end
}

function largeOperator(element: MathElement) {
  const { name, children } = element
  const base = name === 'mo' ? element : children[0]
  if (base?.name !== 'mo' || !Object.hasOwn(largeOperators, base.text)) return null
  const operator = largeOperators[base.text]
  if (operator === undefined) return null
  const [, second, third] = children
  const limits = name.startsWith('ms') ? ('side' as const) : ('aboveBelow' as const)
  switch (name) {
    case 'mo':
      return { operator, limits: 'side' as const, under: undefined, over: undefined }
    case 'msub':
    case 'munder':
      return { operator, limits, under: second, over: undefined }
    case 'msup':
    case 'mover':
      return { operator, limits, under: undefined, over: second }
    case 'msubsup':
    case 'munderover':
      return { operator, limits, under: second, over: third }
    default:
      return null
  }
}

function overOrUnder({ name, children }: MathElement): MathComponent {
  const [base, mark] = children
  if (!base || !mark) throw new Unknown(name)
  const position = name === 'mover' ? 'above' : 'below'
  const sign = mark.name === 'mo' ? mark.text : ''
  if (lines.has(sign)) return new MathBar({ position, children: part(base) })
  const accent = Object.hasOwn(accents, sign) ? accents[sign] : undefined
  if (accent && name === 'mover') return new MathAccent({ accent, children: part(base) })
  const brace = Object.hasOwn(braces, sign) ? braces[sign] : undefined
  if (brace) return new MathBrace({ position, brace, children: part(base) })
  const limit = { children: part(base), limit: part(mark) }
  return name === 'mover' ? new MathLimitUpper(limit) : new MathLimitLower(limit)
}

function boxed(notation: string, children: Components): MathComponent {
  const names = notation.split(/\s+/)
  const strikes: NonNullable<MathBoxOptions['strikes']>[number][] = []
  if (names.includes('updiagonalstrike')) strikes.push('diagonalUp')
  if (names.includes('downdiagonalstrike')) strikes.push('diagonalDown')
  if (names.includes('horizontalstrike')) strikes.push('horizontal')
  if (names.includes('verticalstrike')) strikes.push('vertical')
  const sides = (['top', 'bottom', 'left', 'right'] as const).filter(
    (side) => names.includes('box') || names.includes(side),
  )
  if (strikes.length === 0 && sides.length === 0) throw new Unknown(notation)
  return new MathBox({ children, borders: sides, strikes })
}

/**
 * Converts a matrix. A numbered formula (KaTeX sets it between two halves of empty width) becomes the formula, a space and
 * the number.
 */
function table({ attributes, children }: MathElement): Components {
  const rows = children.map((mtr) => mtr.children.filter(({ name }) => name === 'mtd'))
  const numbered = attributes['width'] === '100%'
  if (numbered)
    return rows.flatMap((cells) =>
      cells.flatMap((cell) => {
        const content = row(cell.children)
        return content.length === 0 ? mathSpace({ ...cell, attributes: { width: '2em' } }) : content
      }),
    )
  const names = (attributes['columnalign'] ?? '').split(/\s+/)
  const columns = rows.reduce((max, { length }) => Math.max(max, length), 0)
  // Word supports no larger matrix.
  if (rows.length > 256 || columns > 64 || columns === 0) throw new Unknown('mtable')
  const alignments = Array.from({ length: columns }, (_, column): MathColumnAlignment => {
    const name = names[column] ?? names.at(-1)
    return name === 'left' || name === 'right' ? name : 'center'
  })
  return [
    new MathMatrix({
      rows: rows.map((cells) => cells.map((cell) => row(cell.children))),
      columnAlignment: alignments,
    }),
  ]
}

interface MathVariant {
  readonly style?: MathRunStyle
  readonly script?: MathRunScript
}

/** Variants of MathML. Plain letters are upright; letters without a variant are italic, which is Word's default. */
const variants: Readonly<Record<string, MathVariant>> = {
  normal: { style: 'plain' },
  bold: { style: 'bold' },
  italic: { style: 'italic' },
  'bold-italic': { style: 'boldItalic' },
  'double-struck': { script: 'doubleStruck' },
  script: { script: 'script' },
  'bold-script': { script: 'script', style: 'bold' },
  fraktur: { script: 'fraktur' },
  'bold-fraktur': { script: 'fraktur', style: 'bold' },
  'sans-serif': { script: 'sansSerif' },
  'bold-sans-serif': { script: 'sansSerif', style: 'bold' },
  'sans-serif-italic': { script: 'sansSerif', style: 'italic' },
  'sans-serif-bold-italic': { script: 'sansSerif', style: 'boldItalic' },
  monospace: { script: 'monospace' },
}

/** Converts letters, digits, signs and text of a formula (`mi`, `mn`, `mo`, `mtext`). */
function mathRun({ name, attributes, text }: MathElement): readonly MathRun[] {
  // Invisible operators (function application, times, separator, plus) have no meaning in Word.
  const clean = cleanText(text).replace(/[\u2061-\u2064]/g, '')
  if (clean === '') return []
  if (name === 'mtext' || name === 'ms')
    return [new MathRun({ text: clean.replaceAll('\u00a0', ' '), normalText: true })]
  const variant = attributes['mathvariant'] ?? ''
  const variantStyle = Object.hasOwn(variants, variant) ? variants[variant] : undefined
  // Function names are upright; a single letter is italic.
  const named = name === 'mi' && Array.from(clean).length > 1
  return [new MathRun({ text: clean, ...(variantStyle ?? (named ? { style: 'plain' } : {})) })]
}

/** Converts a space of a formula to the nearest space character; negative spaces are dropped. */
function mathSpace({ attributes }: MathElement): readonly MathRun[] {
  const ems = Number.parseFloat(attributes['width'] ?? '0')
  if (!(ems >= 0.1)) return []
  const text =
    ems >= 0.75 ? '\u2003'.repeat(Math.min(Math.round(ems), 8)) : ems >= 0.25 ? '\u205f' : '\u2009'
  return [new MathRun(text)]
}

/** Operators with limits, by character. */
const largeOperators: Readonly<Record<string, MathLargeOperatorName>> = {
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
const accents: Readonly<Record<string, MathAccentName>> = {
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
const braces: Readonly<Record<string, MathBraceShape>> = {
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
const lines: ReadonlySet<string> = new Set(['‾', '_', '―', '‗', '⎯', '\u0332', '\u0305'])

/** An element of MathML. */
interface MathElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly MathElement[]
  /** Text of elements without children. */
  readonly text: string
}

/** Parses MathML written by KaTeX into a tree. */
function parseMathMl(source: string): MathElement {
  const root = { name: '', attributes: {}, children: [] as MathElement[], text: '' }
  const stack = [root]
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        const made = { name, attributes, children: [], text: '' }
        stack.at(-1)?.children.push(made)
        stack.push(made)
      },
      onclosetag() {
        stack.pop()
      },
      ontext(text) {
        const open = stack.at(-1)
        if (open) open.text += text
      },
    },
    { xmlMode: true },
  )
  parser.end(source)
  return root
}
