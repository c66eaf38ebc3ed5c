import type { WorkList } from '../service/work-list/work-list.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers that list background work and move it to another account. */
export const workHandlers = (list: WorkList): Pick<Handlers, 'work.list' | 'work.move'> => ({
  'work.list': () => ({ work: list.all() }),
  'work.move': async (request) => {
    await list.move(request)
    return { work: list.all() }
  },
})
