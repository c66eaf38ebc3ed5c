import { chatJson, type ChatJson } from '../../../../shared/contract/chat-json.ts'
import { chatJsonLimits } from '../../../../shared/chats/chat-json-limits.ts'
import { AppError } from '../../../errors.ts'
import { jsonOverLimit } from './nesting.ts'

/**
 * Parses Lectern's JSON of a chat. Throws UNSUPPORTED_FORMAT for JSON of other programs and of a later Lectern,
 * DAMAGED_FILE for invalid files of ours: `params` contain the line, or the field and its limit.
 */
export function readChatJson(text: string): ChatJson {
  const exceeded = jsonOverLimit(text, chatJsonLimits)
  if (exceeded === 'nesting')
    throw overLimit('json', chatJsonLimits.nesting, 'Values are nested too deep')
  if (exceeded === 'values')
    throw overLimit('json', chatJsonLimits.values, 'There are too many values')
  const value = parsedJson(text)
  const ours = typeof value === 'object' && value !== null && 'format' in value ? value : null
  if (ours?.format !== 'lectern.chat')
    throw new AppError('UNSUPPORTED_FORMAT', 'The JSON is not a chat exported from Lectern', {
      params: { kind: 'json', problem: 'foreign' },
    })
  const version = 'version' in ours ? ours.version : undefined
  if (typeof version === 'number' && version > 1)
    throw new AppError('UNSUPPORTED_FORMAT', `The format version ${version} is not supported`, {
      params: { kind: 'json', problem: 'newer', version },
    })
  const read = chatJson.safeParse(value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const at = [...(issue?.path ?? [])]
  if (issue?.code === 'unrecognized_keys') at.push(issue.keys[0] ?? '')
  const field = fieldName(at)
  const max = issue?.code === 'too_big' ? Number(issue.maximum) : null
  throw max === null
    ? wrongField(field, issue?.message ?? '')
    : overLimit(field, max, `${field} is larger than ${max}`)
}

/** Creates the error for a field that is missing, unknown or invalid. */
export const wrongField = (field: string, reason: string): AppError =>
  new AppError('DAMAGED_FILE', `The chat is inconsistent: ${field}: ${reason}`, {
    params: { kind: 'json', problem: 'field', field: field === '' ? 'json' : field },
  })

/** Creates the error for a field that exceeds its limit. */
export const overLimit = (field: string, limit: number, message: string): AppError =>
  new AppError('DAMAGED_FILE', message, { params: { kind: 'json', problem: 'over', field, limit } })

/** Formats a path as `messages[3].text`. */
const fieldName = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part).slice(0, 80)}`))
    .join('')
    .replace(/^\./, '')

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    const [, at] = /position (\d+)/.exec(error instanceof Error ? error.message : '') ?? []
    // Without a position, the text ended too early.
    const before = at === undefined ? text : text.slice(0, Number(at))
    const line = before.split('\n').length
    throw new AppError('DAMAGED_FILE', `The JSON is invalid or incomplete: line ${line}`, {
      params: { kind: 'json', problem: 'line', line },
      cause: error,
    })
  }
}
