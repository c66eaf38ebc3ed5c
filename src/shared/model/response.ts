/** A tool of a Response (service-notes 13); unknown types keep their raw form. */
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

/** One output item of a Response (service-notes 13); `content` is parsed as object or array. */
export type OutputItem =
  | {
      readonly type: 'message'
      readonly id: string
      readonly status: string
      readonly role: string
      readonly texts: readonly string[]
      /** Sources of its texts as received: links, files. Absent if not reported. */
      readonly annotations?: readonly unknown[]
      /** Its parts other than text, as received: a refusal, unknown types. Absent if there are none. */
      readonly others?: readonly unknown[]
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

/** A stored Response (service-notes 13); null or empty if not reported. */
export interface StoredResponse {
  readonly id: string
  /** `completed`, `failed`, `in_progress`, `incomplete`, or any other received value. */
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

/** Tokens of a Response (service-notes 13); null if not reported. */
export interface ResponseUsage {
  readonly inputTokens: number | null
  readonly cachedTokens: number | null
  readonly outputTokens: number | null
  readonly reasoningTokens: number | null
}

/** Returns the text of a part in which the model refuses to answer; null for any other part. */
export function refusalIn(part: unknown): string | null {
  if (typeof part !== 'object' || part === null || !('refusal' in part)) return null
  return typeof part.refusal === 'string' ? part.refusal : null
}
