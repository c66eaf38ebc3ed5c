import type { ActivityQuery } from '../../../shared/model/activity.ts'
import type { Store } from '../../store/types.ts'
import type { Handlers } from '../router.ts'

/** The list of calls to the service. */
export const activityHandlers = ({
  activity,
}: Pick<Store, 'activity'>): Pick<Handlers, 'activity.list'> => ({
  'activity.list': (request) => {
    const given = Object.fromEntries(
      Object.entries(request).filter(([, value]) => value !== undefined),
    )
    return activity.list({ limit: request.limit, ...given } satisfies ActivityQuery)
  },
})
