import type { AnswerEvent, AssistantTool } from '../../../shared/chat/answer.ts'
/**
 * The events of one batch made fewer: consecutive pieces of words are one, as are those of an assistant's call, and of lists of its calls
 * the last one stands.
 */
export function joinEvents(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
  const lastTools = events.findLastIndex(({ t }) => t === 'tools')
  const joined: AnswerEvent[] = []
  /** Consecutive events that become one. */
  let pieces: AnswerEvent[] = []
  const close = (): void => {
    const [first] = pieces
    if (first) joined.push(pieces.length === 1 ? first : joinedPieces(first, pieces))
    pieces = []
  }
  for (const [place, event] of events.entries()) {
    if (event.t === 'tools' && place !== lastTools) continue
    const [first] = pieces
    if (!first || !goesOn(first, event)) close()
    pieces.push(event)
  }
  close()
  return joined
}

type Words = Extract<AnswerEvent, { t: 'text' | 'reasoning' | 'thought' }>

const isText = (event: AnswerEvent): event is Words =>
  event.t === 'text' || event.t === 'reasoning' || event.t === 'thought'

const goesOn = (first: AnswerEvent, event: AnswerEvent): boolean =>
  event.t === 'tool'
    ? first.t === 'tool' && first.place === event.place && !event.whole
    : isText(event) && first.t === event.t

function joinedPieces(first: AnswerEvent, pieces: readonly AnswerEvent[]): AnswerEvent {
  if (isText(first))
    return {
      ...first,
      text: pieces
        .filter(isText)
        .map(({ text }) => text)
        .join(''),
    }
  if (first.t !== 'tool') return first
  return {
    ...first,
    call: joinedCall(pieces.flatMap((one) => (one.t === 'tool' ? [one.call] : []))),
  }
}

/** A call from its pieces: texts and lists joined once, whatever is neither as it came last. */
function joinedCall(pieces: readonly AssistantTool[]): AssistantTool {
  const fields = new Map<string, unknown[]>()
  for (const piece of pieces)
    for (const [name, value] of Object.entries(piece)) {
      const values = fields.get(name)
      if (values) values.push(value)
      else fields.set(name, [value])
    }
  const joined = Array.from(fields, ([name, values]) => {
    if (name !== 'type' && values.every((value) => typeof value === 'string'))
      return [name, values.join('')] as const
    return [name, values.every(Array.isArray) ? values.flat() : values.at(-1)] as const
  })
  return { ...Object.fromEntries(joined), type: pieces[0]?.type ?? 'unknown' }
}
