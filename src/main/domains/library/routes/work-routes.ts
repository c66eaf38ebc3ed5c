import type { WorkList } from '../service/work-list/work-list.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers that list background work, move it to another account, and dismiss failures. */
export const workHandlers = (
  list: WorkList,
): Pick<Handlers, 'work.list' | 'work.move' | 'work.dismiss'> => ({
  'work.list': () => ({ work: list.all() }),
  'work.move': async (request) => {
    await list.move(request)
    return { work: list.all() }
  },
  'work.dismiss': ({ id }) => {
    list.dismiss(id)
    return { work: list.all() }
  },
})
