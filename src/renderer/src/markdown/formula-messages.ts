/** Signs that a voice reads by their names; other commands are read by their own. */
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
/** Commands that only say how something looks. */
const styleCommands =
  /\\(?:left|right|big|Big|bigg|Bigg|displaystyle|textstyle|limits|nolimits|quad|qquad|[,;:! ])(?![A-Za-z])/g
const wrapped =
  /\\(?:text|mathrm|mathbf|mathit|mathsf|operatorname|boldsymbol|mathbb|bar|hat|vec|overline)\s*\{([^{}]*)\}/g
const fraction = /\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g

/** Longest formula whose words anybody could follow, in letters of TeX. */
const maxLength = 120

/** A formula as plain text that can be said; null for one that is too much to be heard. */
export function formulaMessages(tex: string): string | null {
  if (tex.length > maxLength || /\\begin|\\\\|&/.test(tex)) return null
  let text = tex.replace(styleCommands, ' ')
  // From the inside out; what is deeper than that is no formula to be said.
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
