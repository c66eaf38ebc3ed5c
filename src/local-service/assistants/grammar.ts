/** A definite error in an English text. */
interface GrammarError {
  /** Incorrect text. */
  readonly found: string
  readonly correction: string
  readonly why: string
}

/** Words that start with a vowel letter but not a vowel sound, or vice versa. */
const soundsLikeYou =
  /^(?:uni(?!n|m)|use|usu|util|euro|eu|one(?!i|r)|once|ukul|urin|u[bfrst]o|ewe)/i
const silentH = /^(?:hour|honest|honou?r|heir)/i

/** Words that can occur twice in a row in correct sentences. */
const mayDouble: ReadonlySet<string> = new Set([
  'that',
  'had',
  'very',
  'really',
  'so',
  'no',
  'bye',
  'ha',
  'do',
  'is',
  'her',
  'blah',
  'far',
  'many',
])

interface Rule {
  readonly pattern: RegExp
  /** Returns the correction of a match; undefined if it is no error. */
  correct(match: RegExpExecArray): string | undefined
  readonly why: string
}

const rules: readonly Rule[] = [
  {
    pattern: /\b([a-z]+)(\s+)(\1)\b/gi,
    correct: ([, word = '']) => (mayDouble.has(word.toLowerCase()) ? undefined : word),
    why: 'The word is repeated.',
  },
  {
    pattern: /\b(a)(\s+)(?!(?:or|and|is|are|as|at|in|on|of|if)\b)([a-z]{2,})\b(?!['’])/gi,
    correct([, article = '', space = '', word = '']) {
      if (word === word.toUpperCase()) return undefined
      const vowel = (/^[aeiou]/i.test(word) && !soundsLikeYou.test(word)) || silentH.test(word)
      return vowel ? `${article}n${space}${word}` : undefined
    },
    why: 'Use "an" before a vowel sound.',
  },
  {
    pattern: /\b(an)(\s+)([a-z]{2,})\b(?!['’])/gi,
    correct([, article = '', space = '', word = '']) {
      if (word === word.toUpperCase()) return undefined
      const consonant =
        soundsLikeYou.test(word) ||
        (/^[^aeiou]/i.test(word) && !silentH.test(word) && !/^(?:herb|historic|xm)/i.test(word))
      return consonant ? `${article.slice(0, 1)}${space}${word}` : undefined
    },
    why: 'Use "a" before a consonant sound.',
  },
  {
    pattern:
      /(?<![\w.'’-])i(?=(?:\s+(?:am|was|have|had|will|would|can|could|do|did|think|know|want|like|need|should|must|see|saw|went|go|hope)\b|['’](?:m|ve|ll|d)\b))/g,
    correct: () => 'I',
    why: 'The pronoun I is capitalized.',
  },
  {
    pattern: /\bits(?=\s+(?:a|an|the|not|been|very|too|going|raining|snowing|about|because)\b)/gi,
    correct: ([word = '']) => `${word.slice(0, 2)}'s`,
    why: '"It\'s" is short for "it is" or "it has".',
  },
  {
    pattern: /\bit['’]s(?=\s+own\b)/gi,
    correct: ([word = '']) => `${word.slice(0, 2)}s`,
    why: 'The possessive form of "it" is "its".',
  },
]

function applied(text: string, rule: Rule, errors: GrammarError[]): string {
  let result = ''
  let at = 0
  for (const match of text.matchAll(rule.pattern)) {
    const correction = rule.correct(match)
    if (correction === undefined || correction === match[0]) continue
    errors.push({ found: match[0], correction, why: rule.why })
    result += text.slice(at, match.index) + correction
    at = match.index + match[0].length
  }
  return result + text.slice(at)
}

/** Fixes capitals at the start of sentences, and the period at the end of a text that is a sentence. */
function edges(text: string, errors: GrammarError[]): string {
  let result = text.replace(
    /(^\s*|[.!?]\s+)([a-z])(?=[a-z'’]*[\s,])/g,
    (whole, before: string, letter: string, at: number) => {
      // No sentence starts after an abbreviation.
      const lead = text.slice(Math.max(0, at - 8), at + 1)
      if (/(?:e\.g|i\.e|etc|vs|approx)\.$/.test(lead)) return whole
      const capital = letter.toUpperCase()
      errors.push({
        found: letter,
        correction: capital,
        why: 'A sentence begins with a capital letter.',
      })
      return before + capital
    },
  )
  const words = result.trim().split(/\s+/)
  const last = words.at(-1) ?? ''
  if (words.length >= 4 && /[a-z0-9]$/i.test(last)) {
    errors.push({ found: last, correction: `${last}.`, why: 'A sentence ends with a period.' })
    result = `${result.trimEnd()}.`
  }
  return result
}

/** Finds only definite errors: repeated words, a and an, I, its, capitals and periods. */
export function checkGrammar(text: string): {
  readonly errors: readonly GrammarError[]
  readonly corrected: string
} {
  const errors: GrammarError[] = []
  let corrected = text
  for (const rule of rules) corrected = applied(corrected, rule, errors)
  corrected = edges(corrected, errors)
  return { errors, corrected }
}
