import { MathRun, type MathRunScript, type MathRunStyle } from 'docx'
import { cleanText } from '../content/clean.ts'
import type { MathElement } from './mathml.ts'

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
export function mathRun({ name, attributes, text }: MathElement): readonly MathRun[] {
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
export function mathSpace({ attributes }: MathElement): readonly MathRun[] {
  const ems = Number.parseFloat(attributes['width'] ?? '0')
  if (!(ems >= 0.1)) return []
  const text =
    ems >= 0.75 ? '\u2003'.repeat(Math.min(Math.round(ems), 8)) : ems >= 0.25 ? '\u205f' : '\u2009'
  return [new MathRun(text)]
}
