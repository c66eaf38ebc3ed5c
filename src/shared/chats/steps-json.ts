import type { AnswerStep } from './answer-step.ts'

/** Approximate number of characters of a chunk: one or two milliseconds of work. */
const chunkLength = 256 * 1024
/** Maximum distance searched back from the end of a chunk for a character that no spelling of a key contains. */
const maxLookBack = 8192

/** Splits a text into chunks of some hundred thousand characters, after white space where possible. */
export function* chunksOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const end = chunkEnd(text, at)
    yield text.slice(at, end)
    at = end
  }
}

function chunkEnd(text: string, from: number): number {
  const about = from + chunkLength
  if (about >= text.length) return text.length
  const back = text.slice(about - maxLookBack, about).search(/[^\x21-\x7e][\x21-\x7e]*$/)
  const end = back < 0 ? about : about - maxLookBack + back + 1
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end
}

/** Yields the JSON of steps in chunks: a long text in them is never converted at once. */
export function* stepsJson(steps: readonly AnswerStep[]): Generator<string> {
  yield '['
  for (const [nth, step] of steps.entries()) {
    if (nth > 0) yield ','
    if (hasLongText(step)) yield* longJson(step)
    else yield* chunksOf(JSON.stringify(step))
  }
  yield ']'
}

const isLong = (value: unknown): value is string =>
  typeof value === 'string' && value.length > chunkLength

function hasLongText(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isLong(value)
  return Object.values(value).some(hasLongText)
}

function* longJson(step: AnswerStep): Generator<string> {
  const long: string[] = []
  // Random, so that no step can contain it.
  const mark = `${Math.random()}-${Math.random()}`
  const marked = JSON.stringify(step, (_, value: unknown) => {
    if (!isLong(value)) return value
    long.push(value)
    return mark
  })
  for (const [nth, between] of marked.split(mark).entries()) {
    yield* chunksOf(between)
    for (const chunk of chunksOf(long[nth] ?? '')) yield JSON.stringify(chunk).slice(1, -1)
  }
}
