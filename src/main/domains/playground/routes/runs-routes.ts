import type { Runs } from '../service/runs/runs.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers of any operation of the provider, as runs. The caller's page is attached to the stream it named. */
export const runHandlers = (
  runs: Runs,
): Pick<
  Handlers,
  | 'runs.operations'
  | 'runs.start'
  | 'runs.get'
  | 'runs.list'
  | 'runs.events'
  | 'runs.raw'
  | 'runs.cancel'
  | 'runs.remove'
  | 'runs.rename'
  | 'runs.export'
> => ({
  'runs.operations': () => runs.operations(),
  'runs.start': ({ streamId, ...request }, { connection }) =>
    runs.start(request, { connectionId: connection.id, streamId }),
  'runs.get': ({ id }) => runs.get(id),
  'runs.list': (query) => runs.list(query),
  'runs.events': ({ id, from, limit }) => runs.events(id, from, limit),
  'runs.raw': ({ id }) => ({ reply: runs.raw(id) }),
  'runs.cancel': ({ id }) => runs.cancel(id),
  'runs.remove': async ({ ids }) => {
    await runs.remove(ids)
    return {}
  },
  'runs.export': (wanted) => runs.export(wanted),
  'runs.rename': ({ id, title }) => runs.rename(id, title),
})
