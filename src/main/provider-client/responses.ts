import type { StoredResponse } from '../../shared/model/response.ts'
import { wireModel } from '../../shared/provider/profiles.ts'
import type { Answered } from './answer.ts'
import type { CallParts } from './call.ts'
import { callJson } from './json-call.ts'
import type { JsonOperation } from './json-call.ts'
import { pathPart } from './path-part.ts'
import { checkRange, illegal, requireSome } from './request-limits.ts'
import { isResponse, readDeleted, readInputItems, readResponse } from './response-parsing.ts'
import type { CallOptions, ServiceTarget } from './types.ts'
import type { InputItems } from './response-parsing.ts'

export type {
  FunctionTool,
  OutputItem,
  ResponseTool,
  StoredResponse,
} from '../../shared/model/response.ts'

/** The Responses API (service-notes 13). Only Responses created with `store` can be retrieved, for seven days. */
export interface ResponsesApi {
  /**
   * `POST /v1/responses`, not streamed. `store` is sent as true by default. Not repeated once it may have arrived.
   */
  create(
    target: ServiceTarget,
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
    options: CallOptions,
  ): Promise<Answered<StoredResponse>>
  /** `GET /v1/responses/{id}` (service-notes 13). */
  retrieve(
    target: ServiceTarget,
    request: { readonly id: string },
    options: CallOptions,
  ): Promise<Answered<StoredResponse>>
  /** `GET /v1/responses/{id}/input_items`. */
  inputItems(
    target: ServiceTarget,
    request: {
      readonly id: string
      readonly order?: 'asc' | 'desc'
      readonly limit?: number
      readonly after?: string
    },
    options: CallOptions,
  ): Promise<Answered<InputItems>>
  /** `DELETE /v1/responses/{id}`. Safe to repeat. */
  delete(
    target: ServiceTarget,
    request: { readonly id: string },
    options: CallOptions,
  ): Promise<Answered<{ readonly deleted: boolean }>>
}

/**
 * Creates the endpoints of this family from the shared call parts. The API reference lists no request ID for them.
 */
export function createResponses(parts: CallParts): ResponsesApi {
  return {
    async create(target, request, options) {
      const { input, instructions, previousResponseId, store, extra } = request
      requireSome('model', request.model)
      requireSome('input', input)
      if (extra?.['stream'] === true) throw illegal('stream', 'true')
      const model = wireModel(target.profile, request.model)
      const operation: JsonOperation<StoredResponse> = {
        operation: 'responses.create',
        model,
        repeat: 'creating',
        method: 'POST',
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
      return callJson(parts, target, operation, options)
    },
    async retrieve(target, { id }, options) {
      const operation: JsonOperation<StoredResponse> = {
        ...baseOperation(parts, 'responses.retrieve'),
        path: pathOf(id),
        reportsFailure: isResponse,
        read: (json) => readResponse(json, id),
      }
      return callJson(parts, target, operation, options)
    },
    async inputItems(target, { id, order, limit, after }, options) {
      if (limit !== undefined)
        checkRange('limit', limit, { min: 1, max: target.limits.list.pageSize, whole: true })
      const operation: JsonOperation<InputItems> = {
        ...baseOperation(parts, 'responses.inputItems'),
        path: `${pathOf(id)}/input_items`,
        query: {
          ...(order !== undefined && { order }),
          ...(limit !== undefined && { limit: String(limit) }),
          ...(after !== undefined && { after }),
        },
        read: readInputItems,
      }
      return callJson(parts, target, operation, options)
    },
    async delete(target, { id }, options) {
      const operation: JsonOperation<{ readonly deleted: boolean }> = {
        ...baseOperation(parts, 'responses.delete'),
        method: 'DELETE',
        path: pathOf(id),
        read: readDeleted,
      }
      return callJson(parts, target, operation, options)
    },
  }
}

const pathOf = (id: string): string => `/v1/responses/${pathPart('response_id', id)}`

/** Builds an operation without a body. */
const baseOperation = (
  parts: CallParts,
  operation: string,
): Pick<JsonOperation<unknown>, 'operation' | 'model' | 'repeat' | 'method' | 'timeouts'> => ({
  operation,
  model: null,
  repeat: 'safe',
  method: 'GET',
  timeouts: parts.shortCall,
})
