import { z } from 'zod'
import { id, json, onlyId } from './fields.ts'
import { callOptions, operation } from './operation.ts'

/** Asynchronous tasks (spec 4.15, service-notes 9). */
export const tasks = {
  'tasks.create': operation(
    { spec: 'notes 9', summary: 'Starts a task: a chat, a video or a picture.', creates: true },
    z.strictObject({
      kind: z.enum(['chat', 'video', 'image']),
      model: id(),
      body: json().describe('What the kind takes: {"messages":[…]} or {"prompt":"…"}'),
    }),
    (context, input) => context.api.tasks.create(context.target, input, callOptions(context)),
  ),
  'tasks.get': operation(
    { spec: '4.15', summary: 'Asks once how far a task is.' },
    onlyId('The task'),
    (context, input) => context.api.tasks.get(context.target, input, callOptions(context)),
  ),
  'tasks.wait': operation(
    { spec: '4.15', summary: 'Asks again and again until a task is done.', streams: true },
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
