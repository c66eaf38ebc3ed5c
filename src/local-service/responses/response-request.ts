import { countTokens } from '../assistants/count-tokens.ts'
import { ServiceError } from '../errors.ts'
import type { JsonObject } from '../json-body.ts'
import { booleanOf, choiceOf, integerOf, numberOf, objectOf, textOf } from '../json-fields.ts'
import { brandedModel, standInModels } from '../model-field.ts'
import type { ResponseInput } from './input.ts'
import { readTools, type OfferedTools } from './tools.ts'

/** Options of a Response request (service-notes 13). */
export interface ResponseOrder {
  readonly model: string
  readonly instructions: string | null
  readonly stream: boolean
  readonly store: boolean
  readonly temperature: number | null
  readonly topP: number | null
  readonly maxTokens: number | null
  readonly format: 'text' | 'json_object'
  readonly tools: OfferedTools
  /** False for the tool choice `none`. */
  readonly callFunctions: boolean
  readonly reasoning: boolean
  readonly previous: string | null
  /** Tokens of the input, including instructions. */
  readonly tokens: number
  /** The request body: the response repeats the tools unchanged. */
  readonly body: JsonObject
}

/** Maximum tokens of an input: the context window of the service's models. */
const maxInputTokens = 128_000

/** Reads and validates a request except its input. Throws a ServiceError for the first violated rule. */
export function readOrder(body: JsonObject, input: ResponseInput): ResponseOrder {
  const model = brandedModel(body, standInModels.chat)
  const format = objectOf(objectOf(body, 'text') ?? { path: 'text', values: {} }, 'format')
  const reasoning = objectOf(body, 'reasoning')
  const effort = reasoning && textOf(reasoning, 'effort')
  const instructions = textOf(body, 'instructions') ?? null
  const tokens = countTokens(input.prompt) + countTokens(instructions ?? '')
  if (tokens > maxInputTokens)
    throw new ServiceError(
      'contextTooLong',
      `The input has about ${tokens} tokens; at most ${maxInputTokens} are read`,
    )
  return {
    model,
    instructions,
    tokens,
    body,
    stream: booleanOf(body, 'stream', false),
    store: booleanOf(body, 'store', false),
    temperature: numberOf(body, 'temperature', { min: 0, max: 1 }) ?? null,
    topP: numberOf(body, 'top_p', { min: 0, max: 1 }) ?? null,
    maxTokens: integerOf(body, 'max_output_tokens', { min: 1 }) ?? null,
    format: (format && choiceOf(format, 'type', ['text', 'json_object'])) ?? 'text',
    tools: readTools(body),
    callFunctions: (choiceOf(body, 'tool_choice', ['none', 'auto']) ?? 'auto') === 'auto',
    reasoning: effort !== 'none',
    previous: textOf(body, 'previous_response_id') ?? null,
  }
}
