import { setImmediate } from 'node:timers/promises'
import type { AnswerSoFar, AnswerStep } from '../../../shared/chat/answer.ts'
import { createMaskedFragments } from '../../api/masked-fragments.ts'
import type { Redactor } from '../../security/redact.ts'
import type { AnswerEnd } from '../../store/chats-types.ts'

type Keys = Pick<Redactor, 'maskKnown' | 'openEnd'>

/** Characters processed in one step: some milliseconds. */
const atOnce = 512 * 1024
/** Maximum distance that a step searches back for a character that no spelling of a key contains. */
const farthestBack = 8192

/** Returns an answer without keys, and its columns. Yields to the main thread between the parts of a long one. */
export async function maskedAnswer(
  answer: AnswerSoFar,
  keys: Keys,
): Promise<Required<Pick<AnswerEnd, 'text' | 'steps' | 'bytes'>>> {
  const text = await maskedText(answer.text, keys)
  const steps: AnswerStep[] = []
  const list: Uint8Array[] = []
  let chars = 0
  for (const step of answer.steps) {
    const json = await maskedText(JSON.stringify(step), keys)
    steps.push(JSON.parse(json) as AnswerStep)
    list.push(Buffer.from(list.length === 0 ? '[' : ','), await bytesOf(json))
    chars += json.length
    if (chars < atOnce) continue
    chars = 0
    await setImmediate()
  }
  const columns = {
    text: await bytesOf(text),
    steps: list.length === 0 ? null : Buffer.concat([...list, Buffer.from(']')]),
  }
  return { text, steps, bytes: columns }
}

async function bytesOf(text: string): Promise<Uint8Array> {
  const bytes: Uint8Array[] = []
  for (let from = 0; from < text.length;) {
    const about = from + atOnce
    // Do not split a surrogate pair.
    const to = about < text.length && isHigh(text.charCodeAt(about - 1)) ? about - 1 : about
    bytes.push(Buffer.from(text.slice(from, to)))
    from = to
    if (from < text.length) await setImmediate()
  }
  const [only] = bytes
  return only && bytes.length === 1 ? only : Buffer.concat(bytes)
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

async function maskedText(text: string, keys: Keys): Promise<string> {
  if (text.length <= atOnce) return keys.maskKnown(text)
  const masked: string[] = []
  const fragments = createMaskedFragments(keys, (fragment) => masked.push(fragment))
  for (let from = 0; from < text.length;) {
    const to = endOfFragment(text, from + atOnce)
    fragments.add(text.slice(from, to))
    from = to
    await setImmediate()
  }
  fragments.end()
  return masked.join('')
}

/** Returns where a fragment of about this length may end: after white space or another character that no key contains. */
function endOfFragment(text: string, about: number): number {
  if (about >= text.length) return text.length
  const before = text.slice(about - farthestBack, about)
  const back = before.search(/[^\x21-\x7e][\x21-\x7e]*$/)
  return back < 0 ? about : about - farthestBack + back + 1
}
