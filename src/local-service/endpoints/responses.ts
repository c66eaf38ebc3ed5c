import { engineNames } from '../../shared/provider/engine-names.ts'
import type { QuotePassage } from '../assistants/quote.ts'
import type { ServiceContext, Route, Handler } from '../context.ts'
import { errorBody, ServiceError, publicError } from '../errors.ts'
import { maxImageJsonBytes, readJsonBody } from '../json-body.ts'
import { eventStream, jsonReply, jsonEvent } from '../http.ts'
import { itemsPerPage, readInput } from '../responses/input.ts'
import {
  completeResponse,
  emptyResponse,
  type ResponseObject,
  type OutputItem,
} from '../responses/create-response.ts'
import { readOrder } from '../responses/response-request.ts'
import { responseStore, type StoredResponse } from '../responses/store.ts'

const engine = engineNames.responses

function storedOf(id: string, { state, clock }: ServiceContext): StoredResponse {
  const stored = responseStore(state, clock).get(id)
  if (!stored)
    throw new ServiceError(
      'notFound',
      'Response not found. Responses created with store=true are stored for 7 days',
    )
  return stored
}

/** Returns the passages that an earlier response quoted, so that they can be quoted again. */
function earlierPassages(stored: StoredResponse): readonly QuotePassage[] {
  const { output } = JSON.parse(stored.body) as ResponseObject
  return output.flatMap((item) =>
    item.type === 'message'
      ? [item['content']].flat().flatMap((part) => {
          const { text } = part as { readonly text?: string }
          return text === undefined ? [] : [{ source: stored.id, text }]
        })
      : [],
  )
}

/** Reports a failure after the stream started as its last event. */
async function withFailedResponse(
  work: Promise<ResponseObject>,
  head: ResponseObject,
): Promise<ResponseObject> {
  try {
    return await work
  } catch (error) {
    const { failure, message } = publicError(error)
    return { ...head, ...errorBody(failure, message, '/v1/responses'), status: 'failed', engine }
  }
}

/** `POST /v1/responses` (service-notes 13). */
const createResponse: Handler = async ({ incoming, signal }, context) => {
  const { state, clock, ids } = context
  const body = await readJsonBody(incoming, maxImageJsonBytes)
  const input = readInput(body, ids)
  const order = readOrder(body, input)
  const earlier = order.previous === null ? [] : earlierPassages(storedOf(order.previous, context))
  const createdAt = clock()
  const head = emptyResponse(`resp-${ids()}`, createdAt, order)
  const make = async (): Promise<ResponseObject> => {
    const response = await completeResponse(head, order, input, earlier, context, signal)
    if (order.store) {
      const items = input.items.map((item) => ({
        id: String(item['id']),
        item: JSON.stringify(item),
      }))
      responseStore(state, clock).add({
        id: head.id,
        body: JSON.stringify(response),
        items,
        createdAt,
      })
    }
    return response
  }
  if (!order.stream) return jsonReply(await make())
  return eventStream(responseEvents(head, withFailedResponse(make(), head)))
}

/** `GET /v1/responses/{response_id}` (service-notes 13). */
const retrieveResponse: Handler = async ({ params }, context) => {
  return jsonReply(JSON.parse(storedOf(params['id'] ?? '', context).body))
}

/** `DELETE /v1/responses/{id}` (service-notes 13). */
const deleteResponse: Handler = async ({ params }, context) => {
  const { id } = storedOf(params['id'] ?? '', context)
  responseStore(context.state, context.clock).remove(id)
  return jsonReply({ id, object: 'response', deleted: true, engine })
}

/** `GET /v1/responses/{id}/input_items?order&limit&after` (service-notes 13), newest first by default. */
const listInputItems: Handler = async ({ params, query }, context) => {
  const stored = storedOf(params['id'] ?? '', context)
  const order = query.get('order') ?? 'desc'
  if (order !== 'asc' && order !== 'desc')
    throw new ServiceError('fieldIllegal', 'order must be one of: asc, desc')
  const limit = Number(query.get('limit') ?? itemsPerPage.default)
  if (!Number.isInteger(limit) || limit < itemsPerPage.min || limit > itemsPerPage.max)
    throw new ServiceError(
      'fieldIllegal',
      `limit must be a number from ${itemsPerPage.min} to ${itemsPerPage.max}`,
    )
  const all = order === 'asc' ? stored.items : stored.items.toReversed()
  const after = query.get('after')
  const cursor = after === null ? -1 : all.findIndex(({ id }) => id === after)
  if (after !== null && cursor < 0)
    throw new ServiceError('fieldIllegal', 'after is not the id of an item')
  const shown = all.slice(cursor + 1, cursor + 1 + limit)
  return jsonReply({
    object: 'list',
    data: shown.map(({ item }): unknown => JSON.parse(item)),
    first_id: shown.at(0)?.id ?? null,
    last_id: shown.at(-1)?.id ?? null,
    has_more: cursor + 1 + limit < all.length,
    engine,
  })
}

export const responsesRoutes: readonly Route[] = [
  ['POST', '/v1/responses', createResponse],
  ['GET', '/v1/responses/:id', retrieveResponse],
  ['DELETE', '/v1/responses/:id', deleteResponse],
  ['GET', '/v1/responses/:id/input_items', listInputItems],
]

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
async function* responseEvents(
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
