import type { TaskKind, TaskResult } from '../../shared/model/task.ts'
import { wireModel } from '../../shared/service/profiles.ts'
import { AppError } from '../errors.ts'
import type { Answered } from './answer.ts'
import type { CallParts } from './call.ts'
import { callJson } from './json-call.ts'
import { stopped } from './network-errors.ts'
import { pathPart } from './path-part.ts'
import { illegal, requireSome } from './request-limits.ts'
import { pollDelayMs } from './poll-intervals.ts'
import type { RetryBounds } from './retry.ts'
import { isAboutTask, readTask, readTaskCreated } from './task-replies.ts'
import type { CallOptions, ServiceTarget } from './types.ts'

export type { TaskKind, TaskResult, TaskToolCall } from '../../shared/model/task.ts'

/** Asynchronous tasks (service-notes 9). */
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
  /** `GET /paas/v4/async-result/{id}` (service-notes 9). Safe to repeat; `once` leaves repeating to the caller, who asks again anyway. */
  get(
    target: ServiceTarget,
    request: { readonly id: string },
    options: CallOptions & { readonly once?: boolean },
  ): Promise<Answered<TaskResult>>
  /** Asks with growing intervals until the task is done. `onPoll` gets each answer. Throws CANCELLED when stopped. */
  wait(
    target: ServiceTarget,
    request: { readonly id: string },
    options: CallOptions & { onPoll?(answer: Answered<TaskResult>): void },
  ): Promise<Answered<TaskResult>>
}

/** Where each kind is created (service-notes 9). */
const paths: Readonly<Record<TaskKind, string>> = {
  chat: '/paas/v4/async/chat/completions',
  video: '/paas/v4/videos/generations',
  image: '/paas/v4/async/images/generations',
}

const one: RetryBounds = { attempts: 1 }

/** Replies in a row that cannot be read, after which they are the answer: one may be a portal's page. */
export const unreadableInARow = 5

/** Builds the family over the parts every call is made of. */
export function createTasks(parts: CallParts): TasksApi {
  const get = async (
    target: ServiceTarget,
    id: string,
    options: CallOptions,
    retryBounds: RetryBounds,
  ): Promise<Answered<TaskResult>> =>
    callJson<TaskResult>(
      parts,
      target,
      {
        operation: 'tasks.get',
        model: null,
        repeat: 'safe',
        retryBounds,
        method: 'GET',
        path: `/paas/v4/async-result/${pathPart('id', id)}`,
        timeouts: parts.shortCall,
        reportsFailure: (json) => isAboutTask(json, id),
        read: (json) => readTask(json, id),
      },
      options,
    )

  return {
    async create(target, { kind, model, body }, options) {
      if (!Object.hasOwn(paths, kind)) throw illegal('kind', kind)
      requireSome('model', model)
      const wired = wireModel(target.profile, model)
      return callJson(
        parts,
        target,
        {
          operation: 'tasks.create',
          model: wired,
          repeat: 'creating',
          method: 'POST',
          path: paths[kind],
          timeouts: parts.longCall,
          json: (requestId) => ({ ...body, model: wired, request_id: requestId }),
          read: readTaskCreated,
        },
        options,
      )
    },
    get: (target, { id }, { once, ...options }) => get(target, id, options, once ? one : {}),
    async wait(target, { id }, { onPoll, ...options }) {
      let unreadable = 0
      for (let polls = 1; ; polls++) {
        // The next question is the repetition.
        const result = await get(target, id, options, one).catch(refusal)
        unreadable = 'refused' in result && isUnreadable(result.refused) ? unreadable + 1 : 0
        let minDelayMs = 0
        if (!('refused' in result)) {
          onPoll?.(result)
          if (result.value.state !== 'processing') return result
        } else if (options.signal?.aborted || !mayPass(result.refused, unreadable)) {
          throw result.refused
        } else {
          minDelayMs = result.refused.retryAfterMs ?? 0
        }
        await pause(parts, Math.max(pollDelayMs(polls, parts.random), minDelayMs), options.signal)
      }
    },
  }
}

/** A failure of the service client as a value; anything else is thrown on. */
function refusal(error: unknown): { readonly refused: AppError } {
  if (error instanceof AppError) return { refused: error }
  throw error
}

const isUnreadable = (error: AppError): boolean => error.code === 'MALFORMED_REPLY'

/** No network, a failing service, too many calls at once: the task goes on meanwhile, and so does the wait for it. */
const mayPass = (error: AppError, unreadable: number): boolean =>
  isUnreadable(error) ? unreadable < unreadableInARow : error.retriable

/** Throws CANCELLED, or TIMEOUT for a deadline, as soon as the signal fires. */
async function pause(parts: CallParts, ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await parts.sleep(ms, signal)
  } catch (error) {
    throw signal?.aborted ? stopped(signal) : error
  }
}
