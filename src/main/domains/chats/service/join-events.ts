import type { AnswerEvent } from '../../../../shared/chats/answer.ts'
import type { AssistantTool } from '../../../../shared/chats/answer-step.ts'

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

type Words = Extract<AnswerEvent, { t: 'text' | 'reasoning' | 'thought' }>

const isText = (event: AnswerEvent): event is Words =>
  event.t === 'text' || event.t === 'reasoning' || event.t === 'thought'

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
