import type { AnswerEvent, AssistantTool } from '../../../shared/chat/answer.ts'
import { createMaskedFragments, withoutHalfKey } from '../../api/masked-fragments.ts'
import type { Redactor } from '../../security/redact.ts'

/** Masks keys that span several fragments in answer events before they are stored and emitted. */
export interface MaskedText {
  add(event: AnswerEvent): void
  /** Emits everything that is still held back. */
  end(): void
}

type Words = Extract<AnswerEvent, { t: 'text' | 'reasoning' | 'thought' }>

const isText = (event: AnswerEvent): event is Words =>
  event.t === 'text' || event.t === 'reasoning' || event.t === 'thought'

/**
 * Creates the masking of an answer. Text that may be the beginning of a key waits for the text after it; everything else
 * is emitted at once, in order. Other events are masked as a whole by their receiver; in a call that still grows, a
 * partial key at an end is masked.
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
