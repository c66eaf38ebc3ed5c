import type { Failure } from '../../../shared/contract/reply.ts'
import { limits } from '../../../shared/provider/limits.ts'
import { formatBytes, formatSeconds } from './format.ts'

/** Displayed text of a failure; `data` is empty if no data could be at risk. */
export interface FailureText {
  readonly what: string
  readonly data: string
  readonly todo: string
}

/** The part of vue-i18n that is needed. */
interface Translate {
  t(key: string, named: Record<string, unknown>): string
  te(key: string): boolean
  /** The placeholder names in the raw English sentence of a key. */
  names(key: string): readonly string[]
}

/** Codes whose plain `what` would hide the name of the invalid field. */
const namedFirst: ReadonlySet<string> = new Set(['BAD_REQUEST', 'INVALID_INPUT'])

/** Returns the text for a failure by its code, with its values in the user's units. Unknown codes use INTERNAL. */
export function failureText(failure: Failure, i18n: Translate, language: string): FailureText {
  const code = i18n.te(`errors.${failure.code}.what`) ? failure.code : 'INTERNAL'
  const values = valuesOf(failure, i18n, language)
  const key = (part: string): string => `errors.${code}.${part}`
  const fits = (part: string): boolean =>
    i18n.te(key(part)) && i18n.names(key(part)).every((name) => values[name] !== undefined)
  const { limit, value, problem, reason, kind } = failure.params ?? {}
  const below = typeof limit === 'number' && typeof value === 'number' && value < limit
  // Problems of a part of the input, or of a file, have their own sentences.
  const details = code === 'DAMAGED_FILE' ? [problem, reason, kind] : [problem]
  const own = details.filter((one) => typeof one === 'string')
  const order = [
    ...own,
    ...(below ? ['under'] : []),
    ...(namedFirst.has(code) ? ['named'] : []),
    'what',
  ]
  return {
    what: i18n.t(key([...order, 'named'].find(fits) ?? 'plain'), values),
    data: i18n.te(key('data')) ? i18n.t(key('data'), values) : '',
    todo: i18n.t(key([...own.map((name) => `${name}Todo`), 'todo'].find(fits) ?? 'todo'), values),
  }
}

/** The failure's params for display: bytes and seconds with units, names of limits in words. */
function valuesOf(failure: Failure, i18n: Translate, language: string): Record<string, string> {
  const params: Record<string, string | number> = { ...failure.params }
  if (failure.code === 'FILE_TOO_LARGE') params['limit'] ??= limits.transcription.bytes
  if (failure.code === 'AUDIO_TOO_LONG') params['limit'] ??= limits.transcription.seconds
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(params)) {
    if (name === 'what') {
      const key = `things.${value}`
      values[name] = i18n.te(key) ? i18n.t(key, {}) : String(value)
    } else values[name] = readable(failure.code, name, value, language)
  }
  return values
}

function readable(
  code: Failure['code'],
  name: string,
  value: string | number,
  language: string,
): string {
  if (typeof value === 'string') return value
  if (code === 'DISK_FULL') return formatBytes(value, language)
  const measure = name === 'limit' || name === 'value'
  if (measure && (code === 'FILE_TOO_LARGE' || code === 'ANSWER_TOO_LONG'))
    return formatBytes(value, language)
  if (measure && code === 'AUDIO_TOO_LONG') return formatSeconds(value, language)
  return value.toLocaleString(language)
}

/** The placeholder names of a sentence. */
export function namesIn(sentence: string): readonly string[] {
  return [...sentence.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
}
