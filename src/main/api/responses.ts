import { wireModel } from '../../shared/service/profiles.ts'
import type { Answered } from './answer.ts'
import type { CallParts } from './call.ts'
import { callJson } from './json-call.ts'
import type { JsonOperation } from './json-call.ts'
import { pathPart } from './path-part.ts'
import { checkRange, illegal, requireSome } from './request-limits.ts'
import { isResponse, readDeleted, readInputItems, readResponse } from './response-reading.ts'
import type { CallOptions, ServiceTarget } from './types.ts'

/** A tool of a Response (spec 2.1); kinds that are not known keep their raw form. */
export type ResponseTool =
  | FunctionTool
  | {
      readonly type: 'namespace'
      readonly name: string
      readonly description: string
      readonly tools: readonly FunctionTool[]
    }
  | { readonly type: 'custom'; readonly name: string; readonly description: string }
  | { readonly type: 'web_search' }
  | { readonly type: 'unknown'; readonly raw: unknown }

/** A function the model may call. */
export interface FunctionTool {
  readonly type: 'function'
  readonly name: string
  readonly description: string
  /** A JSON Schema. */
  readonly parameters: unknown
}

/** One piece of a Response's output (spec 2.1); `content` is read as object or array (service-notes 13). */
export type OutputItem =
  | {
      readonly type: 'message'
      readonly id: string
      readonly status: string
      readonly role: string
      readonly texts: readonly string[]
    }
  | {
      readonly type: 'reasoning'
      readonly id: string
      readonly status: string
      readonly texts: readonly string[]
    }
  | {
      readonly type: 'function_call'
      readonly id: string
      readonly status: string
      readonly namespace: string
      readonly name: string
      readonly callId: string
      /** JSON text. */
      readonly arguments: string
    }
  | {
      readonly type: 'web_search_call'
      readonly id: string
      readonly status: string
      readonly queries: readonly string[]
      readonly sources: readonly string[]
      readonly results: readonly unknown[]
    }
  | { readonly type: 'unknown'; readonly raw: unknown }

/** A stored Response (spec 2.1); null or empty where the reply does not say. */
export interface StoredResponse {
  readonly id: string
  /** `completed`, `failed`, `in_progress`, `incomplete`, or what else came. */
  readonly status: string
  readonly model: string
  /** Unix seconds. */
  readonly createdAt: number | null
  readonly instructions: string | null
  readonly maxOutputTokens: number | null
  readonly temperature: number | null
  readonly topP: number | null
  /** `text` or `json_object`. */
  readonly textFormat: string | null
  readonly tools: readonly ResponseTool[]
  readonly error: { readonly code: string; readonly message: string } | null
  readonly incompleteReason: string | null
  readonly output: readonly OutputItem[]
  readonly cachedTokens: number | null
  readonly reasoningTokens: number | null
}

/** Input items of a Response, newest first unless asked otherwise (service-notes 13). */
export interface InputItems {
  readonly items: readonly unknown[]
  readonly hasMore: boolean
  readonly lastId: string | null
}

/** The Response API (spec 4.1, service-notes 13). Only Responses made with `store` can be read back, for seven days. */
export interface ResponsesApi {
  /** `POST /v1/responses`, plain. `store` is sent as true unless said otherwise. Creates: never repeated once it may have arrived. */
  create(
    target: ServiceTarget,
    request: {
      readonly model: string
      /** A text, or input items as the service takes them. */
      readonly input: string | readonly unknown[]
      readonly instructions?: string
      readonly previousResponseId?: string
      readonly store?: boolean
      /** Further body fields, sent as they are. */
      readonly extra?: Readonly<Record<string, unknown>>
    },
    options: CallOptions,
  ): Promise<Answered<StoredResponse>>
  /** `GET /v1/responses/{id}` (spec 4.1). */
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

/** Builds the family over the parts every call is made of. The spec gives these calls no request id. */
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
        tellsFailure: isResponse,
        read: (json) => readResponse(json, ''),
      }
      return callJson(parts, target, operation, options)
    },
    async retrieve(target, { id }, options) {
      const operation: JsonOperation<StoredResponse> = {
        ...reading(parts, 'responses.retrieve'),
        path: pathOf(id),
        tellsFailure: isResponse,
        read: (json) => readResponse(json, id),
      }
      return callJson(parts, target, operation, options)
    },
    async inputItems(target, { id, order, limit, after }, options) {
      if (limit !== undefined)
        checkRange('limit', limit, { min: 1, max: target.limits.list.pageSize, whole: true })
      const operation: JsonOperation<InputItems> = {
        ...reading(parts, 'responses.inputItems'),
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
        ...reading(parts, 'responses.delete'),
        method: 'DELETE',
        path: pathOf(id),
        read: readDeleted,
      }
      return callJson(parts, target, operation, options)
    },
  }
}

const pathOf = (id: string): string => `/v1/responses/${pathPart('response_id', id)}`

/** What the calls without a body share. */
const reading = (
  parts: CallParts,
  operation: string,
): Pick<JsonOperation<unknown>, 'operation' | 'model' | 'repeat' | 'method' | 'timeouts'> => ({
  operation,
  model: null,
  repeat: 'safe',
  method: 'GET',
  timeouts: parts.shortCall,
})
