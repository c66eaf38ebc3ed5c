import type { AnswerEvent } from '../../../../shared/chats/answer.ts'
import type { AssistantTool } from '../../../../shared/chats/answer-step.ts'
import {
  createMaskedFragments,
  withoutHalfKey,
  type MaskedFragments,
} from '../../../provider-client/masked-fragments.ts'
import type { Redactor } from '../../../platform/security/redact.ts'

/** Masks keys that span several fragments in answer events before they are stored and emitted. */
interface MaskedText {
  add(event: AnswerEvent): void
  /** Emits everything that is still held back. */
  end(): void
}

type Words = Extract<AnswerEvent, { t: 'text' | 'reasoning' | 'thought' }>
type ToolEvent = Extract<AnswerEvent, { t: 'tool' }>

const isText = (event: AnswerEvent): event is Words =>
  event.t === 'text' || event.t === 'reasoning' || event.t === 'thought'

/** A growing text of a call. */
interface CallText {
  readonly fragments: MaskedFragments
  readonly name: string
  /** Masked text that can be emitted. */
  ready: string
}

/**
 * Creates the masking of an answer. Text that may be the beginning of a key waits for the text after it, also in the texts of
 * calls; everything else is emitted at once, in order. Other events are masked as a whole by their receiver.
 */
export function createMaskedText(
  redactor: Pick<Redactor, 'maskKnown' | 'openEnd'>,
  emit: (event: AnswerEvent) => void,
): MaskedText {
  let last: Words | null = null
  const fragments = createMaskedFragments(redactor, (text) => {
    if (last) emit({ ...last, text })
  })
  /** Texts of each call that has any, by its position, and its last event. */
  const calls = new Map<number, { texts: Map<string, CallText>; last: ToolEvent }>()

  const callText = (texts: Map<string, CallText>, name: string): CallText => {
    const known = texts.get(name)
    if (known) return known
    const created: CallText = {
      name,
      ready: '',
      fragments: createMaskedFragments(redactor, (text) => void (created.ready += text)),
    }
    texts.set(name, created)
    return created
  }
  const isTextField = ([name, value]: readonly [string, unknown]): boolean =>
    name !== 'type' && typeof value === 'string'
  /** Returns a complete call, which includes the text held back so far; masks a partial key at the end of its texts. */
  const maskWhole = (event: ToolEvent): ToolEvent => {
    calls.delete(event.place)
    const texts = Object.entries(event.call).filter(isTextField)
    const masked = texts.map(([name, text]) => [name, withoutHalfKey(redactor, String(text))])
    return { ...event, call: { ...event.call, ...Object.fromEntries(masked) } }
  }
  /** Returns the additions to a call as far as they are ready; the rest waits. */
  const maskAdditions = (event: ToolEvent): ToolEvent => {
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
  const flushCalls = (): void => {
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
      else if (event.t === 'tool') emit(event.whole ? maskWhole(event) : maskAdditions(event))
      else emit(event)
    },
    end() {
      fragments.end()
      flushCalls()
    },
  }
}

/**
 * Merges the events of one batch: joins consecutive fragments of text and of an assistant's call, and retains only the last
 * list of its calls.
 */
export function joinEvents(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
  const lastTools = events.findLastIndex(({ t }) => t === 'tools')
  const joined: AnswerEvent[] = []
  /** Consecutive events that are joined into one. */
  let group: AnswerEvent[] = []
  const close = (): void => {
    const [first] = group
    if (first) joined.push(group.length === 1 ? first : joinGroup(first, group))
    group = []
  }
  for (const [place, event] of events.entries()) {
    if (event.t === 'tools' && place !== lastTools) continue
    const [first] = group
    if (!first || !continues(first, event)) close()
    group.push(event)
  }
  close()
  return joined
}

const continues = (first: AnswerEvent, event: AnswerEvent): boolean =>
  event.t === 'tool'
    ? first.t === 'tool' && first.place === event.place && !event.whole
    : isText(event) && first.t === event.t

function joinGroup(first: AnswerEvent, group: readonly AnswerEvent[]): AnswerEvent {
  if (isText(first))
    return {
      ...first,
      text: group
        .filter(isText)
        .map(({ text }) => text)
        .join(''),
    }
  if (first.t !== 'tool') return first
  return {
    ...first,
    call: joinCalls(group.flatMap((one) => (one.t === 'tool' ? [one.call] : []))),
  }
}

/** Joins the fragments of a call: texts and lists are joined once; of other values the last one is used. */
function joinCalls(fragments: readonly AssistantTool[]): AssistantTool {
  const fields = new Map<string, unknown[]>()
  for (const fragment of fragments)
    for (const [name, value] of Object.entries(fragment)) {
      const values = fields.get(name)
      if (values) values.push(value)
      else fields.set(name, [value])
    }
  const joined = Array.from(fields, ([name, values]) => {
    if (name !== 'type' && values.every((value) => typeof value === 'string'))
      return [name, values.join('')] as const
    return [name, values.every(Array.isArray) ? values.flat() : values.at(-1)] as const
  })
  return { ...Object.fromEntries(joined), type: fragments[0]?.type ?? 'unknown' }
}
