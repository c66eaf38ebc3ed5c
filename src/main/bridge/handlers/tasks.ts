import type { Tasks } from '../../services/tasks/tasks.ts'
import type { Handlers } from '../router.ts'

/** Asynchronous tasks of the service, watched until they are done (spec 4.15). */
export const taskHandlers = (
  tasks: Tasks,
  onForgotten: (id: string) => void,
): Pick<
  Handlers,
  | 'tasks.create'
  | 'tasks.watch'
  | 'tasks.list'
  | 'tasks.get'
  | 'tasks.raw'
  | 'tasks.forget'
  | 'tasks.refresh'
> => ({
  'tasks.create': (request) => tasks.create(request),
  'tasks.watch': (request) => tasks.watch(request),
  'tasks.list': ({ limit }) => tasks.list(limit),
  'tasks.get': ({ id }) => tasks.get(id),
  'tasks.raw': ({ id }) => ({ reply: tasks.raw(id) }),
  'tasks.forget': async ({ id }) => {
    await tasks.forget(id)
    onForgotten(id)
    return {}
  },
  'tasks.refresh': ({ id }) => tasks.refresh(id),
})
