import type { AnswerEvent, AssistantTool } from '../../../shared/chat/answer.ts'
import { createMaskedFragments, withoutHalfKey } from '../../api/masked-fragments.ts'
import type { MaskedFragments } from '../../api/masked-fragments.ts'
import type { Redactor } from '../../security/redact.ts'

/** The events of an answer on their way to whoever keeps and tells them, without a key that several pieces make together. */
export interface MaskedText {
  add(event: AnswerEvent): void
  /** Tells what still waited. */
  end(): void
}

type Words = Extract<AnswerEvent, { t: 'text' | 'reasoning' | 'thought' }>
type ToolNews = Extract<AnswerEvent, { t: 'tool' }>

const isText = (event: AnswerEvent): event is Words =>
  event.t === 'text' || event.t === 'reasoning' || event.t === 'thought'

/** A text of a call that grows. */
interface CallText {
  readonly pieces: MaskedFragments
  readonly name: string
  /** What can be told. */
  ready: string
}

/**
 * Starts an answer. Words that may be the beginning of a key wait for those that follow them, and so do the texts of calls; everything
 * else is told at once, in its order, and is masked as a whole by whoever keeps it.
 */
export function createMaskedText(
  redactor: Pick<Redactor, 'maskKnown' | 'openEnd'>,
  tell: (event: AnswerEvent) => void,
): MaskedText {
  let last: Words | null = null
  const pieces = createMaskedFragments(redactor, (text) => {
    if (last) tell({ ...last, text })
  })
  /** The texts of each call that has some, by its place, and what was told of it last. */
  const calls = new Map<number, { texts: Map<string, CallText>; last: ToolNews }>()

  const callText = (texts: Map<string, CallText>, name: string): CallText => {
    const known = texts.get(name)
    if (known) return known
    const made: CallText = {
      name,
      ready: '',
      pieces: createMaskedFragments(redactor, (text) => void (made.ready += text)),
    }
    texts.set(name, made)
    return made
  }
  const isTextField = ([name, value]: readonly [string, unknown]): boolean =>
    name !== 'type' && typeof value === 'string'
  /** All of a call again: what waits is in it. */
  const replaced = (event: ToolNews): ToolNews => {
    calls.delete(event.place)
    const texts = Object.entries(event.call).filter(isTextField)
    const quiet = texts.map(([name, text]) => [name, withoutHalfKey(redactor, String(text))])
    return { ...event, call: { ...event.call, ...Object.fromEntries(quiet) } }
  }
  const grown = (event: ToolNews): ToolNews => {
    const texts = calls.get(event.place)?.texts ?? new Map<string, CallText>()
    calls.set(event.place, { texts, last: event })
    const told: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(event.call).filter(isTextField)) {
      const text = callText(texts, name)
      text.pieces.add(String(value))
      told[name] = text.ready
      text.ready = ''
    }
    return { ...event, call: { ...event.call, ...told } }
  }
  const endCalls = (): void => {
    for (const { texts, last: event } of calls.values())
      for (const text of texts.values()) {
        text.pieces.end()
        if (text.ready === '') continue
        const call: AssistantTool = { type: event.call.type, [text.name]: text.ready }
        tell({ t: 'tool', place: event.place, call, at: event.at })
      }
    calls.clear()
  }

  return {
    add(event) {
      if (event.t !== last?.t) pieces.end()
      last = isText(event) ? event : null
      if (last) pieces.add(last.text)
      else if (event.t === 'tool') tell(event.whole ? replaced(event) : grown(event))
      else tell(event)
    },
    end() {
      pieces.end()
      endCalls()
    },
  }
}
