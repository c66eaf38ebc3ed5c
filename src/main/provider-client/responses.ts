import { wireModel } from '../../shared/provider/profiles.ts'
import type { CallParts } from './call.ts'
import { endpointsOf } from './json-call.ts'
import { pathPart, checkRange, illegal, requireSome } from './request-limits.ts'
import { isResponse, readDeleted, readInputItems, readResponse } from './response-parsing.ts'
import type { ById } from './types.ts'

/** The Responses API (service-notes 13). Only Responses created with `store` can be retrieved, for seven days. */
export type ResponsesApi = ReturnType<typeof createResponses>

/** The API reference lists no request ID for these endpoints. */
export function createResponses(parts: CallParts) {
  const endpoint = endpointsOf(parts)
  const pathOf = (id: string): string => `/v1/responses/${pathPart('response_id', id)}`

  return {
    /**
     * `POST /v1/responses`, not streamed. `store` is sent as true by default. Not repeated once it may have arrived.
     */
    create: endpoint(
      'responses.create',
      (
        request: {
          readonly model: string
          /** A text, or input items in the provider's format. */
          readonly input: string | readonly unknown[]
          readonly instructions?: string
          readonly previousResponseId?: string
          readonly store?: boolean
          /** Further body fields, sent as they are. */
          readonly extra?: Readonly<Record<string, unknown>>
        },
        target,
      ) => {
        const { input, instructions, previousResponseId, store, extra } = request
        requireSome('model', request.model)
        requireSome('input', input)
        if (extra?.['stream'] === true) throw illegal('stream', 'true')
        const model = wireModel(target.profile, request.model)
        return {
          model,
          repeat: 'creating',
          path: '/v1/responses',
          json: () => ({
            ...extra,
            model,
            input,
            ...(instructions !== undefined && { instructions }),
            ...(previousResponseId !== undefined && { previous_response_id: previousResponseId }),
            store: store ?? true,
          }),
          timeouts: parts.longCall,
          reportsFailure: isResponse,
          read: (json) => readResponse(json, ''),
        }
      },
    ),
    /** `GET /v1/responses/{id}` (service-notes 13). */
    retrieve: endpoint('responses.retrieve', ({ id }: ById) => ({
      path: pathOf(id),
      reportsFailure: isResponse,
      read: (json) => readResponse(json, id),
    })),
    /** `GET /v1/responses/{id}/input_items`. */
    inputItems: endpoint(
      'responses.inputItems',
      (
        request: ById & {
          readonly order?: 'asc' | 'desc'
          readonly limit?: number
          readonly after?: string
        },
        target,
      ) => {
        const { id, order, limit, after } = request
        if (limit !== undefined)
          checkRange('limit', limit, { min: 1, max: target.limits.list.pageSize, whole: true })
        return {
          path: `${pathOf(id)}/input_items`,
          query: {
            ...(order !== undefined && { order }),
            ...(limit !== undefined && { limit: String(limit) }),
            ...(after !== undefined && { after }),
          },
          read: readInputItems,
        }
      },
    ),
    /** `DELETE /v1/responses/{id}`. Safe to repeat. */
    delete: endpoint('responses.delete', ({ id }: ById) => ({
      method: 'DELETE',
      path: pathOf(id),
      read: readDeleted,
    })),
  }
}
