import type { SavedFiles } from '../service/saved-files/saved-files.ts'
import type { Tasks } from '../service/tasks/tasks.ts'
import type { Packs } from '../service/saved-files/file-packs.ts'
import { parseJson } from '../../../provider-client/json.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'
import { usageIn } from './reply-usage.ts'

/**
 * Handlers of asynchronous tasks of the provider, which are tracked until they are done (service-notes 9).
 */
export const taskHandlers = (
  tasks: Tasks,
  savedFiles: Pick<SavedFiles, 'of' | 'retry'>,
  packs: Pick<Packs, 'pack'>,
  onForgotten: (id: string) => void,
): Pick<
  Handlers,
  | 'tasks.create'
  | 'tasks.watch'
  | 'tasks.list'
  | 'tasks.get'
  | 'tasks.raw'
  | 'tasks.pack'
  | 'tasks.rename'
  | 'tasks.forget'
  | 'tasks.restore'
  | 'tasks.refresh'
  | 'tasks.retry'
> => ({
  'tasks.create': (request) => tasks.create(request),
  'tasks.watch': (request) => tasks.watch(request),
  'tasks.list': (query) => tasks.list(query),
  'tasks.get'({ id }) {
    const raw = tasks.raw(id)
    return {
      ...tasks.get(id),
      usage: raw && usageIn(parseJson(raw.body)),
      files: savedFiles.of(id),
    }
  },
  'tasks.pack': ({ id }) => packs.pack(tasks.get(id).task.title, savedFiles.of(id)),
  'tasks.raw': ({ id }) => ({ reply: tasks.raw(id) }),
  'tasks.rename': ({ id, title }) => tasks.rename(id, title),
  'tasks.restore': ({ id }) => tasks.restore(id),
  'tasks.forget': async ({ id }) => {
    await tasks.forget(id)
    onForgotten(id)
    return {}
  },
  async 'tasks.retry'({ id }) {
    // A new response brings new URLs; without one, the old URLs may still work.
    await tasks.refresh(id).catch(() => undefined)
    savedFiles.retry(id)
    return {}
  },
  'tasks.refresh': ({ id }) => tasks.refresh(id),
})
