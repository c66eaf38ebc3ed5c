/** Symbols that a voice reads by their names; other commands are read by their own names. */
const signs: Readonly<Record<string, string>> = {
  times: '×',
  cdot: '·',
  div: '÷',
  pm: '±',
  le: '≤',
  leq: '≤',
  ge: '≥',
  geq: '≥',
  ne: '≠',
  neq: '≠',
  approx: '≈',
  equiv: '≡',
  to: '→',
  rightarrow: '→',
  infty: '∞',
  sqrt: '√',
  sum: '∑',
  int: '∫',
  partial: '∂',
  degree: '°',
  circ: '°',
  percent: '%',
}
/** Commands that only affect the appearance. */
const styleCommands =
  /\\(?:left|right|big|Big|bigg|Bigg|displaystyle|textstyle|limits|nolimits|quad|qquad|[,;:! ])(?![A-Za-z])/g
const wrapped =
  /\\(?:text|mathrm|mathbf|mathit|mathsf|operatorname|boldsymbol|mathbb|bar|hat|vec|overline)\s*\{([^{}]*)\}/g
const fraction = /\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g

/** Maximum length of a formula that can be followed by ear, in characters of TeX. */
const maxLength = 120

/** A formula as speakable plain text; null if it is too complex. */
export function formulaMessages(tex: string): string | null {
  if (tex.length > maxLength || /\\begin|\\\\|&/.test(tex)) return null
  let text = tex.replace(styleCommands, ' ')
  // From the inside out; deeper formulas are not speakable.
  for (let depth = 0; depth < 4; depth++)
    text = text
      .replace(wrapped, '$1')
      .replace(fraction, (_, above: string, below: string) => `${group(above)} / ${group(below)}`)
  return text
    .replace(/\^\s*\{?\s*2\s*\}?(?!\d)/g, '²')
    .replace(/\^\s*\{?\s*3\s*\}?(?!\d)/g, '³')
    .replace(/_\s*\{([^{}]*)\}/g, ' $1')
    .replace(/_/g, ' ')
    .replace(/\\([A-Za-z]+)/g, (_, name: string) => ` ${signs[name] ?? name} `)
    .replace(/\\([%$#&_{}])/g, '$1')
    .replace(/[{}~]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

const group = (part: string): string =>
  /[-+\s]/.test(part.trim()) ? `(${part.trim()})` : part.trim()
