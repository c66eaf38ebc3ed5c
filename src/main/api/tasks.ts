import type { Answered } from './answer.ts'
import type { CallParts } from './call.ts'
import type { CallOptions, ServiceTarget } from './types.ts'
import { notBuilt } from './not-built.ts'

/** What a task makes. */
export type TaskKind = 'chat' | 'video' | 'image'

/** A tool call of a choice (spec 2.6); what is not known stays in `raw`. */
export interface TaskToolCall {
  readonly id: string
  /** `function`, `mcp`, or what else came. */
  readonly type: string
  readonly name: string
  /** JSON text. */
  readonly arguments: string
  readonly raw: unknown
}

/** An async result (spec 2.6, 4.15, service-notes 9). */
export interface TaskResult {
  readonly id: string
  readonly state: 'processing' | 'succeeded' | 'failed'
  readonly model: string | null
  /** Unix seconds. */
  readonly created: number | null
  readonly choices: readonly {
    readonly index: number
    readonly role: string
    readonly content: string | null
    readonly reasoning: string | null
    readonly audio: {
      readonly id: string
      readonly data: string
      readonly expiresAt: string | null
    } | null
    readonly toolCalls: readonly TaskToolCall[]
    readonly finishReason: string | null
  }[]
  readonly videos: readonly { readonly url: string; readonly coverUrl: string | null }[]
  readonly images: readonly { readonly url: string }[]
  readonly webSearch: readonly {
    readonly icon: string
    readonly title: string
    readonly link: string
    readonly media: string
    readonly publishDate: string
    readonly content: string
    readonly refer: string
  }[]
  readonly contentFilter: readonly { readonly role: string; readonly level: number }[]
  /** Set when `state` is `failed` and the reply says why. */
  readonly failure: { readonly code: string | null; readonly message: string } | null
}

/** Asynchronous tasks (spec 4.15, service-notes 9). */
export interface TasksApi {
  /**
   * `POST /paas/v4/async/chat/completions`, `/videos/generations`, `/async/images/generations`; `body` holds what the kind
   * takes beside the model. Creates.
   */
  create(
    target: ServiceTarget,
    request: {
      readonly kind: TaskKind
      readonly model: string
      readonly body: Readonly<Record<string, unknown>>
    },
    options: CallOptions,
  ): Promise<Answered<{ readonly id: string; readonly state: TaskResult['state'] }>>
  /** `GET /paas/v4/async-result/{id}` (spec 4.15), once. Safe to repeat. */
  get(
    target: ServiceTarget,
    request: { readonly id: string },
    options: CallOptions,
  ): Promise<Answered<TaskResult>>
  /** Asks with growing intervals until the task is done. `onPoll` gets each answer. Throws CANCELLED when stopped. */
  wait(
    target: ServiceTarget,
    request: { readonly id: string },
    options: CallOptions & { onPoll?(answer: Answered<TaskResult>): void },
  ): Promise<Answered<TaskResult>>
}

/** Builds the family over the parts every call is made of. */
export function createTasks(parts: CallParts): TasksApi {
  return notBuilt(parts)
}
