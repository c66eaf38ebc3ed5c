import type { ServiceContext } from '../context.ts'
import type { Attachment } from './attachments.ts'
import type { AnswerLanguage } from './language.ts'

/** A tool call as in chunks (service-notes 8): its type, and its fields under that name. */
export type ToolCall = Readonly<Record<string, unknown>> & { readonly type: string }

/** A question to an assistant. */
export interface Ask {
  readonly question: string
  readonly language: AnswerLanguage
  readonly attachments: readonly Attachment[]
  readonly context: ServiceContext
  readonly signal: AbortSignal
}

export interface SkillAnswer {
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  /** Name of the engine that answered. */
  readonly engine: string
  /** Limitations of the answer, in plain English; absent if there are none. */
  readonly notice?: string
}

/** Answers as one kind of assistant. Rejects when the signal aborts. */
export type Skill = (ask: Ask) => Promise<SkillAnswer>

export const interpreterCall = (input: string, logs: string): ToolCall => ({
  type: 'code_interpreter',
  code_interpreter: { input, outputs: [{ type: 'logs', logs, error_msg: '' }] },
})
