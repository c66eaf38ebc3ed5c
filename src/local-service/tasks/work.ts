import { engineNames } from '../../shared/provider/engine-names.ts'
import { fillSentence } from '../../shared/provider/sentences.ts'
import { engineNotices } from '../../shared/provider/engine-notices.ts'
import { answerFromLibrary } from '../assistants/answer.ts'
import { usageOf } from '../assistants/count-tokens.ts'
import { cutToTokens } from '../assistants/cut-to-tokens.ts'
import { drawTextImage } from '../assistants/text-image.ts'
import type { ServiceContext } from '../context.ts'
import { mediaName } from '../media-store.ts'
import type { ChatOrder, ImageOrder } from './task-requests.ts'
import type { Task } from './store.ts'

/**
 * Result of a task: the fields of service-notes 9 for its type. `images` are names in the media store, since URLs change.
 */
export interface TaskOutcome {
  readonly fields: Readonly<Record<string, unknown>>
  readonly images: readonly string[]
}

/**
 * Produces the result of a task. Rejects when the signal aborts; nothing is saved then, and the next call produces it.
 */
export async function workOn(
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
