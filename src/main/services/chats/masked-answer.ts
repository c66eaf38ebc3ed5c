import { setImmediate } from 'node:timers/promises'
import type { AnswerSoFar, AnswerStep } from '../../../shared/chat/answer.ts'
import {
  beginningOf,
  partUnits,
  shownRoom,
  shownSteps,
  shownUnits,
  type AnswerPart,
  type Shortened,
} from '../../../shared/chat/shown-answer.ts'
import { piecesOf, stepsJson } from '../../../shared/chat/steps-json.ts'
import { createMaskedFragments, withoutHalfKey } from '../../api/masked-fragments.ts'
import type { Redactor } from '../../security/redact.ts'
import type { AnswerEnd } from '../../store/chats-types.ts'
import { charsOf } from '../runs/event-log.ts'

type Keys = Pick<Redactor, 'maskKnown' | 'openEnd'>
/**
 * An answer without keys, as its message carries it. Of one that is longer, the rest of the text and all of the steps are given to `keep`
 * in parts, each as soon as it is ready. The main thread has a breath between stretches of a long one.
 */
export async function maskedAnswer(
  { text, steps }: AnswerSoFar,
  keys: Keys,
  keep: (part: AnswerPart) => Promise<void>,
): Promise<Pick<AnswerEnd, 'text' | 'steps' | 'shortened'>> {
  const beginning = await masked(piecesOf(text), keys, shownUnits.text)
  const length = await inParts(beginning.rest, 'text', beginning.text.length, keep)
  const room = shownRoom(undefined, (cut) => withoutHalfKey(keys, cut))
  const shown = charsOf(steps) > shownUnits.steps ? shownSteps(steps, room) : steps
  if (room.isShort) await inParts(maskedPieces(stepsJson(steps), keys), 'steps', 0, keep)
  const isShort = length > beginning.text.length || room.isShort
  const shortened: Shortened = { text: length, steps: room.isShort }
  const json = await masked(stepsJson(shown), keys, Infinity)
  return {
    text: beginning.text,
    steps: JSON.parse(json.text) as readonly AnswerStep[],
    ...(isShort && { shortened }),
  }
}

/** The beginning of a text without keys, so many units of it at most, and the pieces behind it. */
async function masked(
  from: Iterable<string>,
  keys: Keys,
  units: number,
): Promise<{ readonly text: string; readonly rest: AsyncIterable<string> }> {
  const pieces = maskedPieces(from, keys)
  let text = ''
  for (;;) {
    const next = await pieces.next()
    if (next.done) return { text, rest: pieces }
    const fits = beginningOf(next.value, units - text.length)
    text += fits
    if (fits !== next.value) return { text, rest: behind(next.value.slice(fits.length), pieces) }
  }
}

async function* behind(first: string, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* pieces
}

/** Gives pieces away as parts; gives the units up to their end. */
async function inParts(
  pieces: AsyncIterable<string>,
  kind: AnswerPart['kind'],
  from: number,
  keep: (part: AnswerPart) => Promise<void>,
): Promise<number> {
  let start = from
  let waiting = ''
  const give = async (text: string): Promise<void> => {
    await keep({ kind, start, text })
    start += text.length
    waiting = ''
  }
  for await (const piece of pieces) {
    waiting = waiting === '' ? piece : waiting + piece
    if (waiting.length >= partUnits && !endsInside(waiting)) await give(waiting)
  }
  if (waiting !== '') await give(waiting)
  return start
}

/** A text that comes in pieces, in other pieces and without keys. */
async function* maskedPieces(pieces: Iterable<string>, keys: Keys): AsyncGenerator<string> {
  let masked: string[] = []
  const fragments = createMaskedFragments(keys, (fragment) => masked.push(fragment))
  let waiting = ''
  for (const piece of pieces) {
    waiting = waiting === '' ? piece : waiting + piece
    if (waiting.length < partUnits) continue
    fragments.add(waiting)
    waiting = ''
    yield* masked
    masked = []
    await setImmediate()
  }
  fragments.add(waiting)
  fragments.end()
  yield* masked
}

/** Whether a text ends with the first half of a character. */
function endsInside(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}
