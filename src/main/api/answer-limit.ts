import { AppError } from '../errors.ts'

/**
 * Maximum size of one answer in bytes of UTF-8: text, reasoning and tool results together. No model writes a tenth of it. An
 * answer becomes one database row in a single step of the main thread, and twice as much would block it for too long.
 */
export const maxAnswerBytes = 4 * 1024 * 1024

const tooLong = (): AppError =>
  new AppError('ANSWER_TOO_LONG', 'The answer is longer than any answer.', {
    params: { limit: maxAnswerBytes },
  })

/** Maximum length of one event of an answer: the last event may repeat the whole answer. */
export const eventLimit = { characters: maxAnswerBytes + 64 * 1024, tooLong } as const

/** Cost of an event in addition to its text: events without text are stored too. */
const eventBytes = 16
/** An assistant's calls are emitted in full whenever one grows. */
const callWeight = 2

/**
 * Returns a counter of the answer's size. It throws ANSWER_TOO_LONG for the event that exceeds the limit, before the event is
 * emitted.
 */
export function createAnswerLimit(): (event: object) => void {
  let bytes = 0
  return (event) => {
    const words = 'text' in event && typeof event.text === 'string' ? event.text : null
    const length = Buffer.byteLength(words ?? JSON.stringify(event))
    const type = 'type' in event ? event.type : undefined
    const more = eventBytes + length * (type === 'tool_calls' ? callWeight : 1)
    bytes = type === 'done' ? Math.max(bytes, length) : bytes + more
    if (bytes > maxAnswerBytes) throw tooLong()
  }
}
