import { setImmediate } from 'node:timers/promises'
import type { AnswerSoFar, AnswerStep } from '../../../shared/chat/answer.ts'
import { createMaskedPieces } from '../../api/masked-pieces.ts'
import type { Redactor } from '../../security/redact.ts'

type Keys = Pick<Redactor, 'maskKnown' | 'openEnd'>

/** Characters that are looked through in one step: some milliseconds. */
const atOnce = 512 * 1024
/** So far back a step looks for a character that no spelling of a key has. */
const farthestBack = 8192

/** An answer without keys. The main thread has a breath between stretches of a long one. */
export async function maskedAnswer(answer: AnswerSoFar, keys: Keys): Promise<AnswerSoFar> {
  const text = await maskedText(answer.text, keys)
  const steps: AnswerStep[] = []
  let chars = 0
  for (const step of answer.steps) {
    const json = JSON.stringify(step)
    steps.push(JSON.parse(await maskedText(json, keys)) as AnswerStep)
    chars += json.length
    if (chars < atOnce) continue
    chars = 0
    await setImmediate()
  }
  return { ...answer, text, steps }
}

async function maskedText(text: string, keys: Keys): Promise<string> {
  if (text.length <= atOnce) return keys.maskKnown(text)
  const told: string[] = []
  const pieces = createMaskedPieces(keys, (piece) => told.push(piece))
  for (let from = 0; from < text.length;) {
    const to = endOfPiece(text, from + atOnce)
    pieces.add(text.slice(from, to))
    from = to
    await setImmediate()
  }
  pieces.end()
  return told.join('')
}

/** Where a piece may end that goes about so far: behind white space or another character that stands in no key. */
function endOfPiece(text: string, about: number): number {
  if (about >= text.length) return text.length
  const before = text.slice(about - farthestBack, about)
  const back = before.search(/[^\x21-\x7e][\x21-\x7e]*$/)
  return back < 0 ? about : about - farthestBack + back + 1
}
