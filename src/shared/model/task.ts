import type { Failure } from '../bridge/reply.ts'

/** What a task of the service makes. */
export type TaskKind = 'chat' | 'video' | 'image'

/** A tool call of a choice (service-notes 9); what is not known stays in `raw`. */
export interface TaskToolCall {
  readonly id: string
  /** `function`, `mcp`, or what else came. */
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
  /** Set when `state` is `failed` and the reply says why. */
  readonly failure: { readonly code: string | null; readonly message: string } | null
}

/**
 * `processing`: the service works on it, and is asked again by itself; `waiting`: the account cannot be asked now (no network, no
 * key), it goes on when it can; `refused`: the service does not tell, and only the user can do something; `succeeded` and
 * `failed`: the service said so, for good.
 */
export type TaskState = 'processing' | 'waiting' | 'refused' | 'succeeded' | 'failed'

/** A task that is watched, over restarts. Times are Unix milliseconds. */
export interface Task {
  readonly id: string
  /** Its id at the service. */
  readonly taskId: string
  /** The user's name for it, or what it was asked for, or how its answer begins; its id as long as nothing says it. */
  readonly title: string
  readonly accountId: string
  /** As it was when the watch began. */
  readonly accountName: string
  /** Null until an answer shows it, for a task that was not created here. */
  readonly kind: TaskKind | null
  readonly model: string | null
  readonly state: TaskState
  /** Questions asked so far. */
  readonly attempts: number
  /** Milliseconds between the last question and the next. */
  readonly intervalMs: number
  /** Null when nothing is planned. */
  readonly nextPollAt: number | null
  /** Why the last question brought nothing, or why the task failed. */
  readonly error: Failure | null
  /** Who answered, where the reply says so. */
  readonly engine: string | null
  /** What it could not do, in its own words. */
  readonly notice: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** How tasks stand, as a list is narrowed. */
export const taskStandings = ['running', 'done', 'failed', 'needsYou'] as const
/** One of them. */
export type TaskStatus = (typeof taskStandings)[number]

/** A page of the list of tasks. */
export interface TaskPage {
  readonly tasks: readonly Task[]
  /** `before` of the next page; null at the end. */
  readonly next: string | null
}
