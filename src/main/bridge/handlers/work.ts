import type { WorkList } from '../../services/work-list/work-list.ts'
import type { Handlers } from '../router.ts'

/** Handlers that list background work and move it to another account. */
export const workHandlers = (list: WorkList): Pick<Handlers, 'work.list' | 'work.move'> => ({
  'work.list': () => ({ work: list.all() }),
  'work.move': async (request) => {
    await list.move(request)
    return { work: list.all() }
  },
})
