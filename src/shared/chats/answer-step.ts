/** Tool call of an assistant with its output so far: fields as in `main/provider-client/assistants.ts`. */
export interface AssistantTool {
  readonly type: ToolKind
  readonly [field: string]: unknown
}

/** Step of an answer. `textAt` is the length of the text when it began, in UTF-16 units. */
export type AnswerStep =
  | {
      readonly kind: 'reasoning' | 'thought'
      readonly text: string
      readonly textAt: number
      readonly startedAt: number
      readonly endedAt: number | null
    }
  | {
      readonly kind: 'call'
      readonly callId: string
      readonly tool: string
      readonly arguments: unknown
      /** Null while it is running. A result without a call has `arguments` null. */
      readonly result: { readonly value: unknown; readonly status: string } | null
      readonly textAt: number
      readonly startedAt: number
      readonly endedAt: number | null
      /** As reported by the provider; otherwise null, and the difference of the times is used. */
      readonly durationMs: number | null
    }
  | {
      readonly kind: 'tool'
      readonly call: AssistantTool
      readonly textAt: number
      readonly startedAt: number
      readonly endedAt: number | null
    }
  | {
      readonly kind: 'unknown'
      readonly name: string
      readonly data: unknown
      readonly textAt: number
      readonly startedAt: number
    }

/** Output type of an assistant's tool, as parsed by the provider's client (service-notes 8). */
type ToolKind =
  | 'web_browser'
  | 'code_interpreter'
  | 'drawing_tool'
  | 'retrieval'
  | 'function'
  | 'unknown'
