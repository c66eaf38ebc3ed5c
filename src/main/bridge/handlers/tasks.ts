import type { KeptFiles } from '../../services/kept/kept-files.ts'
import type { Tasks } from '../../services/tasks/tasks.ts'
import type { Handlers } from '../router.ts'

/** Asynchronous tasks of the service, watched until they are done (spec 4.15). */
export const taskHandlers = (
  tasks: Tasks,
  kept: Pick<KeptFiles, 'of' | 'retry'>,
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
  | 'tasks.retry'
> => ({
  'tasks.create': (request) => tasks.create(request),
  'tasks.watch': (request) => tasks.watch(request),
  'tasks.list': ({ limit }) => tasks.list(limit),
  'tasks.get': ({ id }) => ({ ...tasks.get(id), files: kept.of(id) }),
  'tasks.raw': ({ id }) => ({ reply: tasks.raw(id) }),
  'tasks.forget': async ({ id }) => {
    await tasks.forget(id)
    onForgotten(id)
    return {}
  },
  async 'tasks.retry'({ id }) {
    // New addresses come with a new answer; where none comes the old ones may still do.
    await tasks.refresh(id).catch(() => undefined)
    kept.retry(id)
    return {}
  },
  'tasks.refresh': ({ id }) => tasks.refresh(id),
})
