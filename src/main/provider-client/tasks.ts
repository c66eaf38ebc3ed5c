import type { TaskKind, TaskResult } from '../../shared/model/task.ts'
import { wireModel } from '../../shared/provider/profiles.ts'
import { AppError } from '../errors.ts'
import type { Answered, ById, CallOptions, ServiceTarget } from './types.ts'
import type { CallParts } from './call.ts'
import { endpointsOf } from './json-call.ts'
import { stopped } from './network-errors.ts'
import { pathPart, illegal, requireSome } from './request-limits.ts'
import { pollDelayMs } from './poll-intervals.ts'
import type { RetryBounds } from './retry.ts'
import { isAboutTask, readTask, readTaskCreated } from './task-replies.ts'

export type { TaskResult } from '../../shared/model/task.ts'

/** Path for creating each task type (service-notes 9). */
const paths: Readonly<Record<TaskKind, string>> = {
  chat: '/paas/v4/async/chat/completions',
  video: '/paas/v4/videos/generations',
  image: '/paas/v4/async/images/generations',
}

const one: RetryBounds = { attempts: 1 }

/**
 * Number of consecutive unreadable responses that are accepted as the result: a single one may be a captive portal's page.
 */
export const unreadableInARow = 5

/** Asynchronous tasks (service-notes 9). */
export type TasksApi = ReturnType<typeof createTasks>

export function createTasks(parts: CallParts) {
  const endpoint = endpointsOf(parts)
  const get = endpoint(
    'tasks.get',
    ({ id, retryBounds }: ById & { readonly retryBounds: RetryBounds }) => ({
      retryBounds,
      path: `/paas/v4/async-result/${pathPart('id', id)}`,
      reportsFailure: (json) => isAboutTask(json, id),
      read: (json) => readTask(json, id),
    }),
  )

  return {
    /**
     * `POST /paas/v4/async/chat/completions`, `/videos/generations`, `/async/images/generations`; `body` contains the fields of
     * the type other than the model. Not safe to repeat.
     */
    create: endpoint(
      'tasks.create',
      (
        request: {
          readonly kind: TaskKind
          readonly model: string
          readonly body: Readonly<Record<string, unknown>>
        },
        target,
      ) => {
        const { kind, body } = request
        if (!Object.hasOwn(paths, kind)) throw illegal('kind', kind)
        requireSome('model', request.model)
        const model = wireModel(target.profile, request.model)
        return {
          model,
          repeat: 'creating',
          path: paths[kind],
          timeouts: parts.longCall,
          json: (requestId) => ({ ...body, model, request_id: requestId }),
          read: readTaskCreated,
        }
      },
    ),
    /**
     * `GET /paas/v4/async-result/{id}` (service-notes 9). Safe to repeat; `once` leaves retries to the caller, who polls again
     * anyway.
     */
    get: (
      target: ServiceTarget,
      request: ById,
      { once, ...options }: CallOptions & { readonly once?: boolean },
    ) => get(target, { ...request, retryBounds: once ? one : {} }, options),
    /**
     * Polls with growing intervals until the task is done. `onPoll` receives each response. Throws CANCELLED when stopped.
     */
    async wait(
      target: ServiceTarget,
      { id }: ById,
      { onPoll, ...options }: CallOptions & { onPoll?(answer: Answered<TaskResult>): void },
    ): Promise<Answered<TaskResult>> {
      let unreadable = 0
      for (let polls = 1; ; polls++) {
        // The next poll is the retry.
        const result = await get(target, { id, retryBounds: one }, options).catch(refusal)
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

/** Returns a failure of the service client as a value; rethrows anything else. */
function refusal(error: unknown): { readonly refused: AppError } {
  if (error instanceof AppError) return { refused: error }
  throw error
}

const isUnreadable = (error: AppError): boolean => error.code === 'MALFORMED_REPLY'

/**
 * Returns whether a failure may be temporary (no network, a failing service, too many requests): the task continues in the
 * meantime, and so does polling.
 */
const mayPass = (error: AppError, unreadable: number): boolean =>
  isUnreadable(error) ? unreadable < unreadableInARow : error.retriable

/** Throws CANCELLED, or TIMEOUT for a deadline, as soon as the signal is aborted. */
async function pause(parts: CallParts, ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await parts.sleep(ms, signal)
  } catch (error) {
    throw signal?.aborted ? stopped(signal) : error
  }
}
