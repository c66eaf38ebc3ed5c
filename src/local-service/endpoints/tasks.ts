import { engineNames } from '../../shared/provider/engine-names.ts'
import type { ServiceContext } from '../context.ts'
import { ServiceError } from '../errors.ts'
import { maxImageJsonBytes, readJsonBody } from '../json-body.ts'
import type { JsonObject } from '../json-body.ts'
import { requestIdOf, userIdOf } from '../json-fields.ts'
import { retentionDays } from '../retention-days.ts'
import { brandedModel, standInModels } from '../model-field.ts'
import { jsonReply } from '../response.ts'
import type { ServiceReply } from '../response.ts'
import type { ServiceRequest } from '../request.ts'
import type { Handler, Route } from '../route.ts'
import { readChatOrder, readImageOrder, readVideoOrder } from '../tasks/task-requests.ts'
import { taskStore } from '../tasks/store.ts'
import type { Task, TaskKind } from '../tasks/store.ts'
import { workOn } from '../tasks/work.ts'
import type { TaskOutcome } from '../tasks/work.ts'

/** A task takes 2 to 4 seconds, to simulate the delay of real tasks. */
const minDelayMs = 2000
const spreadMs = 2000

const engine = engineNames.tasks

const readers: Readonly<Record<TaskKind, (body: JsonObject) => object>> = {
  chat: readChatOrder,
  image: readImageOrder,
  video: readVideoOrder,
}

/**
 * Returns a handler that creates tasks (service-notes 9): validates the request, stores it, and responds immediately.
 */
const creator =
  (kind: TaskKind): Handler =>
  async ({ incoming }, { state, clock, ids }) => {
    const body = await readJsonBody(incoming, maxImageJsonBytes)
    const model = brandedModel(body, standInModels[kind])
    const order = readers[kind](body)
    userIdOf(body)
    const createdAt = clock()
    const id = `task-${ids()}`
    const requestId = requestIdOf(body) ?? ids()
    taskStore(state).add({
      id,
      kind,
      model,
      requestId,
      order: JSON.stringify(order),
      createdAt,
      readyAt: createdAt + minDelayMs + Math.floor(Math.random() * spreadMs),
    })
    return jsonReply({ model, id, request_id: requestId, task_status: 'PROCESSING', engine })
  }

/** Common fields of all task responses (service-notes 9). */
const headOf = ({ id, requestId, createdAt, model }: Task): Record<string, unknown> => ({
  id,
  request_id: requestId,
  created: Math.floor(createdAt / 1000),
  model,
})

/**
 * `GET /paas/v4/async-result/{id}` (service-notes 9): the result is computed by the first request after the delay.
 */
async function asyncResult(
  { params, signal }: ServiceRequest,
  context: ServiceContext,
): Promise<ServiceReply> {
  const { state, clock, media } = context
  const tasks = taskStore(state)
  const task = tasks.get(params['id'] ?? '')
  if (!task)
    throw new ServiceError(
      'notFound',
      `Task not found. Tasks are stored for ${retentionDays.tasks} days`,
    )
  if (clock() < task.readyAt)
    return jsonReply({ ...headOf(task), task_status: 'PROCESSING', engine })
  const made =
    task.result ?? tasks.finish(task.id, JSON.stringify(await workOn(task, context, signal)))
  const { fields, images } = JSON.parse(made) as TaskOutcome
  return jsonReply({
    ...headOf(task),
    ...fields,
    ...(images.length > 0 && { image_result: images.map((name) => ({ url: media.urlOf(name) })) }),
  })
}

export const tasksRoutes: readonly Route[] = [
  ['POST', '/paas/v4/async/chat/completions', creator('chat')],
  ['POST', '/paas/v4/videos/generations', creator('video')],
  ['POST', '/paas/v4/async/images/generations', creator('image')],
  ['GET', '/paas/v4/async-result/:id', asyncResult],
]
