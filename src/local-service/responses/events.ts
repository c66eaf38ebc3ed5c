import { jsonEvent } from '../response.ts'
import type { OutputItem, ResponseObject } from './create-response.ts'

/** Characters per delta. */
const deltaChars = 24

interface Part {
  readonly type: string
  readonly text: string
}

const isPart = (value: unknown): value is Part =>
  typeof value === 'object' && value !== null && 'type' in value && 'text' in value

function* itemEvents(item: OutputItem, output_index: number): Generator<Record<string, unknown>> {
  const at = { output_index, item_id: item.id }
  const empty = { ...item, status: 'in_progress', ...('content' in item && { content: [] }) }
  yield { type: 'response.output_item.added', output_index, item: empty }
  if (item.type === 'web_search_call')
    for (const step of ['in_progress', 'searching', 'completed'])
      yield { type: `response.web_search_call.${step}`, ...at }
  if (item.type === 'function_call') {
    const { arguments: text } = item
    yield { type: 'response.function_call_arguments.delta', ...at, delta: text }
    yield { type: 'response.function_call_arguments.done', ...at, arguments: text }
  }
  for (const [content_index, part] of [item['content'] ?? []].flat().entries()) {
    if (!isPart(part)) continue
    const place = { ...at, content_index }
    yield { type: 'response.content_part.added', ...place, part: { ...part, text: '' } }
    const chunks = part.text.match(new RegExp(`[^]{1,${deltaChars}}`, 'gu')) ?? []
    for (const delta of chunks) yield { type: `response.${part.type}.delta`, ...place, delta }
    yield { type: `response.${part.type}.done`, ...place, text: part.text }
    yield { type: 'response.content_part.done', ...place, part }
  }
  yield { type: 'response.output_item.done', output_index, item }
}

/** Events of a streamed Response (service-notes 13); the last depends on its status. There is no `[DONE]`. */
export async function* responseEvents(
  head: ResponseObject,
  done: Promise<ResponseObject>,
): AsyncGenerator<string> {
  let sequence_number = 0
  const event = (value: Record<string, unknown>): string =>
    jsonEvent({ ...value, sequence_number: sequence_number++ })
  yield event({ type: 'response.created', response: head })
  yield event({ type: 'response.in_progress', response: head })
  const response = await done
  for (const [i, item] of response.output.entries())
    for (const value of itemEvents(item, i)) yield event(value)
  yield event({ type: `response.${response.status}`, response })
}
