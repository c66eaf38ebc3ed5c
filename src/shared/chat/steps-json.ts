import type { AnswerStep } from './answer.ts'

/** Characters of a piece, about: a millisecond or two of work. */
const atOnce = 256 * 1024
/** So far back a piece looks for a character that no spelling of a key has. */
const farthestBack = 8192

/** A text in pieces of some hundred thousand characters, which end behind white space where there is some. */
export function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const end = endOfPiece(text, at)
    yield text.slice(at, end)
    at = end
  }
}

function endOfPiece(text: string, from: number): number {
  const about = from + atOnce
  if (about >= text.length) return text.length
  const back = text.slice(about - farthestBack, about).search(/[^\x21-\x7e][\x21-\x7e]*$/)
  const end = back < 0 ? about : about - farthestBack + back + 1
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end
}

/** The JSON of steps in such pieces: a long text in them is never made into JSON at once. */
export function* stepsJson(steps: readonly AnswerStep[]): Generator<string> {
  yield '['
  for (const [nth, step] of steps.entries()) {
    if (nth > 0) yield ','
    if (hasLongText(step)) yield* longJson(step)
    else yield* piecesOf(JSON.stringify(step))
  }
  yield ']'
}

const isLong = (value: unknown): value is string =>
  typeof value === 'string' && value.length > atOnce

function hasLongText(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isLong(value)
  return Object.values(value).some(hasLongText)
}

function* longJson(step: AnswerStep): Generator<string> {
  const long: string[] = []
  // Nobody who wrote the step could know it.
  const mark = `${Math.random()}-${Math.random()}`
  const marked = JSON.stringify(step, (_, value: unknown) => {
    if (!isLong(value)) return value
    long.push(value)
    return mark
  })
  for (const [nth, between] of marked.split(mark).entries()) {
    yield* piecesOf(between)
    for (const piece of piecesOf(long[nth] ?? '')) yield JSON.stringify(piece).slice(1, -1)
  }
}
