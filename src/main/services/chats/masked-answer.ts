import { setImmediate } from 'node:timers/promises'
import type { AnswerSoFar, AnswerStep } from '../../../shared/chat/answer.ts'
import {
  beginningOf,
  createStepBudget,
  partUnits,
  shownSteps,
  shownUnits,
  type AnswerPart,
  type Shortened,
} from '../../../shared/chat/shown-answer.ts'
import { chunksOf, stepsJson } from '../../../shared/chat/steps-json.ts'
import { createMaskedFragments, withoutHalfKey } from '../../api/masked-fragments.ts'
import type { Redactor } from '../../security/redact.ts'
import { drawingsOf } from '../../store/chats-media.ts'
import type { AnswerEnd } from '../../store/chats-types.ts'
import { charsOf } from '../runs/event-log.ts'

type Keys = Pick<Redactor, 'maskKnown' | 'openEnd'>

/**
 * Returns an answer without keys, as its message contains it. The rest of the text and all steps of a longer answer are passed
 * to `savePart` in parts, each as soon as it is ready. Yields to the main thread between the chunks of a long one.
 */
export async function maskedAnswer(
  { text, steps }: AnswerSoFar,
  keys: Keys,
  savePart: (part: AnswerPart) => Promise<void>,
): Promise<Pick<AnswerEnd, 'text' | 'steps' | 'shortened' | 'drawings'>> {
  const beginning = await maskBeginning(chunksOf(text), keys, shownUnits.text)
  const length = await saveInParts(beginning.rest, 'text', beginning.text.length, savePart)
  const budget = createStepBudget(undefined, (cut) => withoutHalfKey(keys, cut))
  const shown = charsOf(steps) > shownUnits.steps ? shownSteps(steps, budget) : steps
  if (budget.isExceeded) await saveInParts(maskChunks(stepsJson(steps), keys), 'steps', 0, savePart)
  const isShortened = length > beginning.text.length || budget.isExceeded
  const shortened: Shortened = { text: length, steps: budget.isExceeded }
  const json = await maskBeginning(stepsJson(shown), keys, Infinity)
  return {
    text: beginning.text,
    steps: JSON.parse(json.text) as readonly AnswerStep[],
    ...(isShortened && { shortened, drawings: drawingsOf(steps) }),
  }
}

/** Returns the beginning of a text without keys, up to `units` UTF-16 units, and the chunks after it. */
async function maskBeginning(
  from: Iterable<string>,
  keys: Keys,
  units: number,
): Promise<{ readonly text: string; readonly rest: AsyncIterable<string> }> {
  const chunks = maskChunks(from, keys)
  let text = ''
  for (;;) {
    const next = await chunks.next()
    if (next.done) return { text, rest: chunks }
    const fits = beginningOf(next.value, units - text.length)
    text += fits
    if (fits !== next.value) return { text, rest: prepend(next.value.slice(fits.length), chunks) }
  }
}

async function* prepend(first: string, chunks: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield* chunks
}

/** Saves chunks as parts; returns the position after the last one, in UTF-16 units. */
async function saveInParts(
  chunks: AsyncIterable<string>,
  kind: AnswerPart['kind'],
  from: number,
  savePart: (part: AnswerPart) => Promise<void>,
): Promise<number> {
  let start = from
  let pending = ''
  const save = async (text: string): Promise<void> => {
    await savePart({ kind, start, text })
    start += text.length
    pending = ''
  }
  for await (const chunk of chunks) {
    pending = pending === '' ? chunk : pending + chunk
    if (pending.length >= partUnits && !endsInSurrogatePair(pending)) await save(pending)
  }
  if (pending !== '') await save(pending)
  return start
}

/** Masks the keys in a text that is passed in chunks; yields chunks of other lengths. */
async function* maskChunks(chunks: Iterable<string>, keys: Keys): AsyncGenerator<string> {
  let masked: string[] = []
  const fragments = createMaskedFragments(keys, (fragment) => masked.push(fragment))
  let pending = ''
  for (const chunk of chunks) {
    pending = pending === '' ? chunk : pending + chunk
    if (pending.length < partUnits) continue
    fragments.add(pending)
    pending = ''
    yield* masked
    masked = []
    await setImmediate()
  }
  fragments.add(pending)
  fragments.end()
  yield* masked
}

/** Whether a text ends between the two units of a surrogate pair. */
function endsInSurrogatePair(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}
