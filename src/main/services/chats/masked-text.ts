import type { AnswerEvent, AssistantTool } from '../../../shared/chat/answer.ts'
import { createMaskedFragments, withoutHalfKey } from '../../api/masked-fragments.ts'
import type { Redactor } from '../../security/redact.ts'

/** The events of an answer on their way to whoever keeps and tells them, without a key that several pieces make together. */
export interface MaskedText {
  add(event: AnswerEvent): void
  /** Tells what still waited. */
  end(): void
}

type Words = Extract<AnswerEvent, { t: 'text' | 'reasoning' | 'thought' }>

const isText = (event: AnswerEvent): event is Words =>
  event.t === 'text' || event.t === 'reasoning' || event.t === 'thought'

/**
 * Starts an answer. Words that may be the beginning of a key wait for those that follow them; everything else is told at once, in its
 * order. What is no piece of words is masked as a whole by whoever keeps it; of a call that still grows, half a key at an end is masked.
 */
export function createMaskedText(
  redactor: Pick<Redactor, 'maskKnown' | 'openEnd'>,
  emit: (event: AnswerEvent) => void,
): MaskedText {
  let last: Words | null = null
  const quiet = (call: AssistantTool): AssistantTool => ({
    ...call,
    ...Object.fromEntries(
      Object.entries(call).map(([name, value]) => [
        name,
        typeof value === 'string' ? withoutHalfKey(redactor, value) : value,
      ]),
    ),
  })
  const fragments = createMaskedFragments(redactor, (text) => {
    if (last) emit({ ...last, text })
  })
  return {
    add(event) {
      if (event.t !== last?.t) fragments.end()
      last = isText(event) ? event : null
      if (last) fragments.add(last.text)
      else emit(event.t === 'tools' ? { ...event, calls: event.calls.map(quiet) } : event)
    },
    end: () => fragments.end(),
  }
}
