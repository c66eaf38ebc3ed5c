import { engineNames } from '../../shared/provider/engine-names.ts'
import type { ServiceContext, Handler, Route } from '../context.ts'
import { ServiceError } from '../errors.ts'
import {
  maxImageJsonBytes,
  readJsonBody,
  type JsonObject,
  fieldIllegal,
  fieldMissing,
  jsonValue,
} from '../json-body.ts'
import {
  requestIdOf,
  userIdOf,
  choiceOf,
  integerOf,
  numberOf,
  objectOf,
  objectsOf,
  requiredText,
  textOf,
} from '../json-fields.ts'
import { retentionDays } from '../retention-days.ts'
import { brandedModel, standInModels } from '../model-field.ts'
import { jsonReply } from '../http.ts'
import { taskStore, type Task, type TaskKind } from '../tasks/store.ts'
import { fillSentence } from '../../shared/provider/sentences.ts'
import { engineNotices } from '../../shared/provider/engine-notices.ts'
import { answerFromLibrary } from '../assistants/answer.ts'
import { usageOf, cutToTokens } from '../assistants/count-tokens.ts'
import { drawTextImage } from '../assistants/text-image.ts'
import { mediaName } from '../media-store.ts'
import { contentOf } from '../assistants/message-content.ts'

/** A task takes 2 to 4 seconds, to simulate the delay of real tasks. */
const minDelayMs = 2000
const spreadMs = 2000

const engine = engineNames.tasks

interface ChatOrder {
  readonly question: string
  /** The text of all messages, for token counting. */
  readonly prompt: string
  readonly thinking: boolean
  readonly maxTokens: number | null
}

interface ImageOrder {
  readonly prompt: string
  readonly width: number
  readonly height: number
}

/** Parses `POST /paas/v4/async/chat/completions` (service-notes 9), except its model. Throws 1213 and 1214. */
function readChatOrder(body: JsonObject): ChatOrder {
  const messages = objectsOf(body, 'messages', { min: 1 })
  if (!messages) throw fieldMissing('messages')
  const turns = messages.map((message) => {
    requiredText(message, 'role')
    const role = choiceOf(message, 'role', ['system', 'user', 'assistant', 'tool'])
    return { role, ...contentOf(message) }
  })
  numberOf(body, 'temperature', { min: 0, max: 1 })
  numberOf(body, 'top_p', { min: 0, max: 1 })
  const thinking = objectOf(body, 'thinking')
  const kind = thinking && choiceOf(thinking, 'type', ['enabled', 'disabled'])
  return {
    question: turns.findLast(({ role }) => role === 'user')?.text ?? '',
    prompt: turns.map(({ text }) => text).join('\n'),
    thinking: kind === 'enabled',
    maxTokens: integerOf(body, 'max_tokens', { min: 1 }) ?? null,
  }
}

/** Parses `POST /paas/v4/videos/generations`, except its model: a text or an initial image. */
function readVideoOrder(body: JsonObject): { readonly prompt: string } {
  const prompt = textOf(body, 'prompt') ?? ''
  if (prompt === '' && jsonValue(body, 'image_url') === undefined) throw fieldMissing('prompt')
  return { prompt }
}

/** Allowed side lengths of images in pixels. */
const side = { min: 64, max: 2048 } as const

/** Parses `POST /paas/v4/async/images/generations`, except its model. */
function readImageOrder(body: JsonObject): ImageOrder {
  const prompt = requiredText(body, 'prompt')
  const [, width = '', height = ''] =
    /^(\d{2,4})x(\d{2,4})$/.exec(textOf(body, 'size') ?? '1024x1024') ?? []
  const sides = [Number(width), Number(height)]
  if (sides.some((pixels) => pixels < side.min || pixels > side.max))
    throw fieldIllegal('size', `be <width>x<height> with ${side.min} to ${side.max} pixels each`)
  return { prompt, width: Number(width), height: Number(height) }
}

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
const asyncResult: Handler = async ({ params, signal }, context) => {
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

/**
 * Result of a task: the fields of service-notes 9 for its type. `images` are names in the media store, since URLs change.
 */
interface TaskOutcome {
  readonly fields: Readonly<Record<string, unknown>>
  readonly images: readonly string[]
}

/**
 * Produces the result of a task. Rejects when the signal aborts; nothing is saved then, and the next call produces it.
 */
async function workOn(
  task: Task,
  context: ServiceContext,
  signal: AbortSignal,
): Promise<TaskOutcome> {
  const order: unknown = JSON.parse(task.order)
  if (task.kind === 'chat') return chat(order as ChatOrder, context, signal)
  if (task.kind === 'image') return image(task.id, order as ImageOrder, context)
  return video()
}

async function chat(
  order: ChatOrder,
  context: ServiceContext,
  signal: AbortSignal,
): Promise<TaskOutcome> {
  const answer = await answerFromLibrary(context, order.question, signal)
  const content = order.maxTokens === null ? answer.text : cutToTokens(answer.text, order.maxTokens)
  const message = {
    role: 'assistant',
    content,
    ...(order.thinking && { reasoning_content: answer.reasoning }),
  }
  const finish_reason = content === answer.text ? 'stop' : 'length'
  return {
    fields: {
      task_status: 'SUCCESS',
      choices: [{ index: 0, message, finish_reason }],
      usage: usageOf(order.prompt, content),
      engine: fillSentence(engineNames.quotes, { engine: context.text.name }),
      notice: answer.notice,
    },
    images: [],
  }
}

async function image(
  id: string,
  order: ImageOrder,
  { media }: ServiceContext,
): Promise<TaskOutcome> {
  // Concurrent callers wait for the same drawing.
  const url = await media.putOnce(`image of ${id}`, 'png', () => drawTextImage(order.prompt, order))
  return {
    fields: {
      task_status: 'SUCCESS',
      engine: engineNames.wordDrawing,
      notice: engineNotices.promptDrawn,
    },
    images: [mediaName(url)],
  }
}

function video(): TaskOutcome {
  const message = 'There’s no on-device video model.'
  return {
    fields: {
      task_status: 'FAIL',
      error: { code: '1222', message },
      engine: engineNames.noneHere,
      notice: message,
    },
    images: [],
  }
}
