import type { Failure } from '../contract/reply.ts'

/** Type of result of a provider task. */
export type TaskKind = 'chat' | 'video' | 'image'

/** A tool call of a choice (service-notes 9); unknown content stays in `raw`. */
export interface TaskToolCall {
  readonly id: string
  /** `function`, `mcp`, or any other received value. */
  readonly type: string
  readonly name: string
  /** JSON text. */
  readonly arguments: string
  readonly raw: unknown
}

/** An async result (service-notes 9). */
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
  /** Set when `state` is `failed` and the response contains the reason. */
  readonly failure: { readonly code: string | null; readonly message: string } | null
}

/**
 * `processing`: the provider is working on it, and it is polled automatically; `waiting`: the account is not available now
 * (no network, no key), continues when it is; `refused`: the provider does not report it, and the user needs to act;
 * `succeeded` and `failed`: final states of the provider.
 */
export type TaskState = 'processing' | 'waiting' | 'refused' | 'succeeded' | 'failed'

/** A task tracked across restarts. Times are Unix milliseconds. */
export interface Task {
  readonly id: string
  /** Its ID at the provider. */
  readonly taskId: string
  /** The user's name for it, or its input, or the beginning of its answer; its ID until one is known. */
  readonly title: string
  readonly accountId: string
  /** Name of the account when tracking started. */
  readonly accountName: string
  /** Null until a response shows it, for a task that was not created here. */
  readonly kind: TaskKind | null
  readonly model: string | null
  readonly state: TaskState
  /** Number of status checks so far. */
  readonly attempts: number
  /** Milliseconds between the last status check and the next. */
  readonly intervalMs: number
  /** Null when nothing is planned. */
  readonly nextPollAt: number | null
  /** Why the last status check failed, or why the task failed. */
  readonly error: Failure | null
  /** Engine named in the response, if any. */
  readonly engine: string | null
  /** Limitations in the engine's own words. */
  readonly notice: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** Status filter of the task list. */
export const taskStatuses = ['running', 'done', 'failed', 'needsYou'] as const
export type TaskStatus = (typeof taskStatuses)[number]

export interface TaskPage {
  readonly tasks: readonly Task[]
  /** `before` of the next page; null at the end. */
  readonly next: string | null
}
