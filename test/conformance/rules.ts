/** Constraint on a value in a request; the tables of spec.ts use these rules. */
export type Rule =
  | {
      readonly is: 'text'
      readonly min?: number
      readonly max?: number
      readonly one?: readonly string[]
    }
  | {
      readonly is: 'number'
      readonly whole: boolean
      readonly min?: number
      readonly max?: number
      readonly one?: readonly number[]
    }
  | { readonly is: 'boolean' }
  | { readonly is: 'list'; readonly of: Rule; readonly min?: number; readonly max?: number }
  | { readonly is: 'object'; readonly fields: Fields }
  /** An object whose fields the API reference leaves open. */
  | { readonly is: 'open' }
  | { readonly is: 'either'; readonly rules: readonly Rule[] }
  | { readonly is: 'data-uri'; readonly types: readonly string[] }

/** Fields by name; a name that ends in `!` is required, and no other names may occur. */
export type Fields = Readonly<Record<string, Rule>>

/** Text of `min` to `max` characters. */
export const text = (min = 0, max = Infinity): Rule => ({ is: 'text', min, max })
/** One of these words. */
export const word = (...one: readonly string[]): Rule => ({ is: 'text', one })
/** Whole number within bounds. */
export const whole = (min = -Infinity, max = Infinity): Rule => ({
  is: 'number',
  whole: true,
  min,
  max,
})
/** Number within bounds. */
export const real = (min = -Infinity, max = Infinity): Rule => ({
  is: 'number',
  whole: false,
  min,
  max,
})
/** One of these whole numbers. */
export const number = (...one: readonly number[]): Rule => ({ is: 'number', whole: true, one })
/** True or false. */
export const flag: Rule = { is: 'boolean' }
/** List of `min` to `max` such values. */
export const list = (of: Rule, min = 0, max = Infinity): Rule => ({ is: 'list', of, min, max })
/** Object with exactly these fields. */
export const object = (fields: Fields): Rule => ({ is: 'object', fields })
/** Any object. */
export const open: Rule = { is: 'open' }
/** One of several rules. */
export const either = (...rules: readonly Rule[]): Rule => ({ is: 'either', rules })
/** `data:<type>;base64,...` of one of these types. */
export const dataUri = (...types: readonly string[]): Rule => ({ is: 'data-uri', types })

/** Returns the problems of a value, one sentence each; empty if there are none. */
export function problemsOf(value: unknown, rule: Rule, at: string): readonly string[] {
  if (rule.is === 'text') return textProblems(value, rule, at)
  if (rule.is === 'number') return numberProblems(value, rule, at)
  if (rule.is === 'boolean') return typeof value === 'boolean' ? [] : [`${at} is no boolean`]
  if (rule.is === 'open') return isObject(value) ? [] : [`${at} is no object`]
  if (rule.is === 'data-uri') {
    const match = typeof value === 'string' ? /^data:([\w/-]+);base64,/.exec(value) : null
    if (!match) return [`${at} is no data URI`]
    const given = String(value).slice(match[0].length)
    const same = Buffer.from(given, 'base64').toString('base64') === given
    return same && rule.types.includes(match[1] ?? '')
      ? []
      : [`${at} is no base64 of ${rule.types.join(', ')}`]
  }
  if (rule.is === 'either') {
    const each = rule.rules.map((one) => problemsOf(value, one, at))
    return each.some((problems) => problems.length === 0) ? [] : each.flat()
  }
  if (rule.is === 'list') {
    if (!Array.isArray(value)) return [`${at} is no list`]
    const { min = 0, max = Infinity } = rule
    const size = value.length < min || value.length > max ? [`${at} has ${value.length} items`] : []
    return [...size, ...value.flatMap((item, i) => problemsOf(item, rule.of, `${at}[${i}]`))]
  }
  return isObject(value) ? fieldProblems(value, rule.fields, at) : [`${at} is no object`]
}

/** Returns the problems of an object's fields. */
export function fieldProblems(
  value: Readonly<Record<string, unknown>>,
  fields: Fields,
  at: string,
): readonly string[] {
  const rules = new Map(
    Object.entries(fields).map(([name, rule]) => [name.replace(/!$/, ''), rule]),
  )
  const missing = Object.keys(fields)
    .filter((name) => name.endsWith('!') && !Object.hasOwn(value, name.slice(0, -1)))
    .map((name) => `${at}.${name.slice(0, -1)} is missing`)
  const wrong = Object.entries(value).flatMap(([name, item]) => {
    const rule = rules.get(name)
    return rule ? problemsOf(item, rule, `${at}.${name}`) : [`${at}.${name} is not in the spec`]
  })
  return [...missing, ...wrong]
}

function textProblems(
  value: unknown,
  rule: Extract<Rule, { is: 'text' }>,
  at: string,
): readonly string[] {
  if (typeof value !== 'string') return [`${at} is no text`]
  if (rule.one) return rule.one.includes(value) ? [] : [`${at} is ${value}`]
  const { min = 0, max = Infinity } = rule
  const count = Array.from(value).length
  return count < min || count > max ? [`${at} has ${count} characters`] : []
}

function numberProblems(
  value: unknown,
  rule: Extract<Rule, { is: 'number' }>,
  at: string,
): readonly string[] {
  if (typeof value !== 'number' || !Number.isFinite(value)) return [`${at} is no number`]
  if (rule.whole && !Number.isInteger(value)) return [`${at} is ${value}`]
  if (rule.one) return rule.one.includes(value) ? [] : [`${at} is ${value}`]
  const { min = -Infinity, max = Infinity } = rule
  return value < min || value > max ? [`${at} is ${value}`] : []
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
