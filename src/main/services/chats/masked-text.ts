import type { AnswerEvent, AssistantTool } from '../../../shared/chat/answer.ts'
import { createMaskedFragments, withoutHalfKey } from '../../api/masked-fragments.ts'
import type { MaskedFragments } from '../../api/masked-fragments.ts'
import type { Redactor } from '../../security/redact.ts'

/** Masks keys that span several fragments in answer events before they are stored and emitted. */
export interface MaskedText {
  add(event: AnswerEvent): void
  /** Emits everything that is still held back. */
  end(): void
}

type Words = Extract<AnswerEvent, { t: 'text' | 'reasoning' | 'thought' }>
type ToolNews = Extract<AnswerEvent, { t: 'tool' }>

const isText = (event: AnswerEvent): event is Words =>
  event.t === 'text' || event.t === 'reasoning' || event.t === 'thought'
/** A text of a call that grows. */
interface CallText {
  readonly fragments: MaskedFragments
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
  emit: (event: AnswerEvent) => void,
): MaskedText {
  let last: Words | null = null
  const fragments = createMaskedFragments(redactor, (text) => {
    if (last) emit({ ...last, text })
  })
  /** The texts of each call that has some, by its place, and what was told of it last. */
  const calls = new Map<number, { texts: Map<string, CallText>; last: ToolNews }>()

  const callText = (texts: Map<string, CallText>, name: string): CallText => {
    const known = texts.get(name)
    if (known) return known
    const made: CallText = {
      name,
      ready: '',
      fragments: createMaskedFragments(redactor, (text) => void (made.ready += text)),
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
    const ready: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(event.call).filter(isTextField)) {
      const text = callText(texts, name)
      text.fragments.add(String(value))
      ready[name] = text.ready
      text.ready = ''
    }
    return { ...event, call: { ...event.call, ...ready } }
  }
  const endCalls = (): void => {
    for (const { texts, last: event } of calls.values())
      for (const text of texts.values()) {
        text.fragments.end()
        if (text.ready === '') continue
        const call: AssistantTool = { type: event.call.type, [text.name]: text.ready }
        emit({ t: 'tool', place: event.place, call, at: event.at })
      }
    calls.clear()
  }

  return {
    add(event) {
      if (event.t !== last?.t) fragments.end()
      last = isText(event) ? event : null
      if (last) fragments.add(last.text)
      else if (event.t === 'tool') emit(event.whole ? replaced(event) : grown(event))
      else emit(event)
    },
    end() {
      fragments.end()
      endCalls()
    },
  }
}
