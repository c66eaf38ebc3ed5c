import { z } from 'zod'
import { id, json, onlyId } from './fields.ts'
import { callOptions, operation, callOf } from './operation.ts'

/** Asynchronous tasks (service-notes 9). */
export const tasks = {
  'tasks.create': operation(
    { spec: '9', summary: 'Starts a chat, video, or image task.', creates: true },
    z.strictObject({
      kind: z.enum(['chat', 'video', 'image']),
      model: id(),
      body: json().describe('Depends on the type: {"messages":[…]} or {"prompt":"…"}'),
    }),
    callOf((api) => api.tasks.create),
  ),
  'tasks.get': operation(
    { spec: '9', summary: 'Returns a task’s status.' },
    onlyId('The task'),
    callOf((api) => api.tasks.get),
  ),
  'tasks.wait': operation(
    { spec: '9', summary: 'Polls a task until it finishes.', streams: true },
    onlyId('The task'),
    (context, input) =>
      context.api.tasks.wait(context.target, input, {
        ...callOptions(context),
        onPoll({ value }) {
          const event = { type: 'poll', state: value.state } as const
          context.onEvent(event)
        },
      }),
  ),
} as const
