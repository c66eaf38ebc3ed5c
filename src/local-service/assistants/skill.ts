import type { ServiceContext } from '../context.ts'
import type { Attachment } from './attachments.ts'
import type { AnswerLanguage } from './language.ts'

/** A tool call as chunks tell it (service-notes 8): its kind, and its fields under that name. */
export type ToolCall = Readonly<Record<string, unknown>> & { readonly type: string }

/** What an assistant is asked. */
export interface Ask {
  readonly question: string
  readonly language: AnswerLanguage
  readonly attachments: readonly Attachment[]
  readonly context: ServiceContext
  readonly signal: AbortSignal
}

/** What an assistant says. */
export interface SkillAnswer {
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  /** Who answered. */
  readonly engine: string
  /** What could not be done, in plain English; absent: all was done. */
  readonly notice?: string
}

/** What one kind of assistant can do. Rejects when the signal aborts. */
export type Skill = (ask: Ask) => Promise<SkillAnswer>

/** A call of the code interpreter with what it logged. */
export const interpreterCall = (input: string, logs: string): ToolCall => ({
  type: 'code_interpreter',
  code_interpreter: { input, outputs: [{ type: 'logs', logs, error_msg: '' }] },
})
