const functions: Readonly<Record<string, (...values: readonly number[]) => number>> = {
  sqrt: (x = NaN) => Math.sqrt(x),
  abs: (x = NaN) => Math.abs(x),
  round: (x = NaN) => Math.round(x),
  floor: (x = NaN) => Math.floor(x),
  ceil: (x = NaN) => Math.ceil(x),
  ln: (x = NaN) => Math.log(x),
  log: (x = NaN) => Math.log10(x),
  min: (...values) => Math.min(...values),
  max: (...values) => Math.max(...values),
  sum: (...values) => values.reduce((total, value) => total + value, 0),
  mean: (...values) => values.reduce((total, value) => total + value, 0) / values.length,
}

/** Maximum nesting of brackets, signs and powers; no realistic expression has more. */
const deepest = 64

/** Thrown for text that is not a supported expression; the message gives the reason. */
export class NoSum extends Error {}

const tokenPattern = /\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)|(\*\*|[-+*/^%(),])|([a-z]+))/iy

type Token =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'sign' | 'name'; readonly text: string }

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  const source = text
    .replace(/(?<=\d),(?=\d{3}(?:\D|$))/g, '')
    .replace(/[×·]/g, '*')
    .replaceAll('÷', '/')
    .replaceAll('−', '-')
    .trimEnd()
  tokenPattern.lastIndex = 0
  while (tokenPattern.lastIndex < source.length) {
    const at = tokenPattern.lastIndex
    const [, number, sign, name] = tokenPattern.exec(source) ?? []
    if (number !== undefined) tokens.push({ kind: 'number', value: Number(number) })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign === '**' ? '^' : sign })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name.toLowerCase() })
    else throw new NoSum(`"${source.slice(at, at + 10)}" is not part of a formula`)
  }
  return tokens
}

/**
 * Returns the value of an expression: numbers, + - * / % ^, brackets, pi, e, and sqrt, abs, round, floor, ceil, ln, log, min,
 * max, sum, mean. `%` after a number and not before another means percent, otherwise the remainder. Parses the text itself and
 * evaluates no code. Throws {@link NoSum}.
 */
export function calculate(text: string): number {
  const tokens = tokensOf(text)
  let at = 0
  let depth = 0
  const sign = (): string => {
    const token = tokens[at]
    return token?.kind === 'sign' ? token.text : ''
  }
  const take = (wanted: string): boolean => {
    if (sign() !== wanted) return false
    at += 1
    return true
  }

  const sum = (): number => {
    let value = product()
    for (;;)
      if (take('+')) value += product()
      else if (take('-')) value -= product()
      else return value
  }
  const product = (): number => {
    let value = signed()
    for (;;)
      if (take('*')) value *= signed()
      else if (take('/')) value /= signed()
      else if (take('%')) value %= signed()
      else return value
  }
  // Every nested expression passes through here.
  const signed = (): number => {
    if (++depth > deepest) throw new NoSum('the formula is nested too deep')
    const value = take('-') ? -signed() : take('+') ? signed() : power()
    depth -= 1
    return value
  }
  const power = (): number => {
    const value = perCent()
    return take('^') ? value ** signed() : value
  }
  const perCent = (): number => {
    const value = atom()
    const next = tokens[at + 1]
    const remainder =
      next?.kind === 'number' ||
      next?.kind === 'name' ||
      (next?.kind === 'sign' && next.text === '(')
    if (sign() !== '%' || remainder) return value
    at += 1
    return value / 100
  }
  const atom = (): number => {
    const token = tokens[at]
    at += 1
    if (token?.kind === 'number') return token.value
    if (token?.kind === 'sign' && token.text === '(') return bracketed()
    if (token?.kind === 'name') return named(token.text)
    throw new NoSum('a number is missing')
  }
  const bracketed = (): number => {
    const value = sum()
    if (!take(')')) throw new NoSum('a parenthesis is not closed')
    return value
  }
  const named = (name: string): number => {
    if (name === 'pi') return Math.PI
    if (name === 'e') return Math.E
    const work = Object.hasOwn(functions, name) ? functions[name] : undefined
    if (!work || !take('(')) throw new NoSum(`"${name}" is unknown`)
    const values = [sum()]
    while (take(',')) values.push(sum())
    if (!take(')')) throw new NoSum('a parenthesis is not closed')
    return work(...values)
  }

  const value = sum()
  if (at < tokens.length) throw new NoSum('the formula has extra text at the end')
  if (!Number.isFinite(value)) throw new NoSum('the result is not a number')
  return value
}

/** A number without the noise of binary fractions. */
export const shown = (value: number): string => String(Number(value.toPrecision(12)))

/** Number of candidate parts of a question, longest first, and characters of each; longer expressions are ignored. */
const maxParts = 4
const maxPartChars = 500

/** Text that may be an expression, followed by words. */
const sumLike =
  /(?:(?:sqrt|abs|round|floor|ceil|ln|log|min|max|sum|mean)\s{0,9}\(|(?:[-(]\s{0,9})?[\d.])[-+*/^%().,\d\s×÷·−a-z]*/gi

/** Words that can belong to an expression. */
const onlySum = /^(?:sqrt|abs|round|floor|ceil|ln|log|min|max|sum|mean|pi|e|[^a-z])*$/i

/**
 * Finds the longest part of a question that is an expression; undefined if there is none. Only words and the period after it are
 * removed, never an operator or operand: if the rest is invalid (incomplete, a division by zero), the value is null.
 */
export function findSum(
  question: string,
): { readonly text: string; readonly value: number | null } | undefined {
  const parts = Array.from(question.matchAll(sumLike), ([part]) => part)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, maxParts)
  let wrong: string | undefined
  for (const whole of parts) {
    const part = whole.slice(0, maxPartChars).trim()
    // A question may continue in words after its expression.
    for (let text = part; text !== ''; text = withoutEnd(text)) {
      if (!/[-+*/^%×÷·−(]/.test(text.slice(1))) break
      // If cut off in the middle, it would have a different value.
      if (whole.length > maxPartChars && !/[a-z]/i.test(part.slice(text.length))) continue
      try {
        return { text, value: calculate(text) }
      } catch (error) {
        if (!(error instanceof NoSum)) throw error
        if (onlySum.test(text)) wrong ??= text
      }
    }
  }
  return wrong === undefined ? undefined : { text: wrong, value: null }
}

/** A text without its last word or period; empty if it ends in something that belongs to the expression. */
function withoutEnd(text: string): string {
  const shorter = text.replace(/(?:[a-z]+|[.,])$/i, '').trim()
  return shorter === text ? '' : shorter
}
