import { engineNames } from '../../shared/provider/engine-names.ts'
import type { QuotePassage } from '../assistants/quote.ts'
import type { ServiceContext } from '../context.ts'
import { errorBody, ServiceError, publicError } from '../errors.ts'
import { maxImageJsonBytes, readJsonBody } from '../json-body.ts'
import { eventStream, jsonReply } from '../response.ts'
import type { ServiceReply } from '../response.ts'
import type { ServiceRequest } from '../request.ts'
import { responseEvents } from '../responses/events.ts'
import { itemsPerPage, readInput } from '../responses/input.ts'
import { completeResponse, emptyResponse } from '../responses/create-response.ts'
import type { ResponseObject } from '../responses/create-response.ts'
import { readOrder } from '../responses/response-request.ts'
import { responseStore } from '../responses/store.ts'
import type { StoredResponse } from '../responses/store.ts'
import type { Route } from '../route.ts'

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
async function createResponse(
  { incoming, signal }: ServiceRequest,
  context: ServiceContext,
): Promise<ServiceReply> {
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
async function retrieveResponse(
  { params }: ServiceRequest,
  context: ServiceContext,
): Promise<ServiceReply> {
  return jsonReply(JSON.parse(storedOf(params['id'] ?? '', context).body))
}

/** `DELETE /v1/responses/{id}` (service-notes 13). */
async function deleteResponse(
  { params }: ServiceRequest,
  context: ServiceContext,
): Promise<ServiceReply> {
  const { id } = storedOf(params['id'] ?? '', context)
  responseStore(context.state, context.clock).remove(id)
  return jsonReply({ id, object: 'response', deleted: true, engine })
}

/** `GET /v1/responses/{id}/input_items?order&limit&after` (service-notes 13), newest first by default. */
async function listInputItems(
  { params, query }: ServiceRequest,
  context: ServiceContext,
): Promise<ServiceReply> {
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
