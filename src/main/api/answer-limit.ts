import { AppError } from '../errors.ts'

/**
 * Most of one answer, in bytes of UTF-8: words, thoughts and what tools brought together. No model writes a tenth of it; an answer
 * becomes one row of the database in a single step of the main thread, which twice as much would hold up for too long.
 */
export const maxAnswerBytes = 4 * 1024 * 1024

const tooLong = (): AppError =>
  new AppError('ANSWER_TOO_LONG', 'The answer is longer than any answer.', {
    params: { limit: maxAnswerBytes },
  })

/** How long one event of an answer may be: the last one may say all of it again. */
export const eventLimit = { characters: maxAnswerBytes + 64 * 1024, tooLong } as const

/** What an event costs beside its words: one without any is kept, too. */
const eventBytes = 16
/** An assistant's calls are told whole whenever one grows. */
const callWeight = 2

/** Counts what an answer brings. Throws ANSWER_TOO_LONG for the event that is too much, before anybody hears of it. */
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
