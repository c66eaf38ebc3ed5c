import type { WorkList } from '../../services/work-list/work-list.ts'
import type { Handlers } from '../router.ts'

/** What goes on by itself, and who does it. */
export const workHandlers = (list: WorkList): Pick<Handlers, 'work.list' | 'work.move'> => ({
  'work.list': () => ({ work: list.all() }),
  'work.move': async (request) => {
    await list.move(request)
    return { work: list.all() }
  },
})
