import { AppError } from '../errors.ts'

/**
 * Maximum size of one answer in bytes of UTF-8: text, reasoning and tool results together. No model writes a tenth of it. The
 * whole answer is in memory while it streams, but a message contains only its beginning (`shownUnits`), and it is stored in
 * parts.
 */
export const maxAnswerBytes = 16 * 1024 * 1024

const tooLong = (): AppError =>
  new AppError('ANSWER_TOO_LONG', 'The answer exceeds the size limit.', {
    params: { limit: maxAnswerBytes },
  })

/** Maximum length of one event of an answer: the last event may repeat the whole answer. */
export const eventLimit = { characters: maxAnswerBytes + 64 * 1024, tooLong } as const

/** Cost of an event in addition to its text: events without text are stored too. */
const eventBytes = 16

/** Estimates the size of a value as JSON in bytes, without building the JSON. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) return 4
  let bytes = 2
  if (Array.isArray(value)) for (const each of value) bytes += 1 + bytesOf(each)
  else
    for (const [name, each] of Object.entries(value))
      bytes += 4 + Buffer.byteLength(name) + bytesOf(each)
  return bytes
}

/**
 * Returns a counter of the answer's size. It throws ANSWER_TOO_LONG for the event that exceeds the limit, before the event is
 * emitted.
 */
export function createAnswerLimit(): (event: object) => void {
  let bytes = 0
  return (event) => {
    const length =
      'text' in event && typeof event.text === 'string' ? bytesOf(event.text) : bytesOf(event)
    const type = 'type' in event ? event.type : undefined
    bytes = type === 'done' ? Math.max(bytes, length) : bytes + eventBytes + length
    if (bytes > maxAnswerBytes) throw tooLong()
  }
}
