import type { ActivityQuery } from '../../../../shared/model/activity.ts'
import { localDay } from '../../../../shared/text/local-time.ts'
import type { Clock } from '../../../deps.ts'
import type { Store } from '../../../library-database/store.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers of the requests to the provider, and their totals by day. */
export const activityHandlers = (
  { activity }: Pick<Store, 'activity'>,
  clock: Clock,
): Pick<Handlers, 'activity.list' | 'activity.usage'> => ({
  'activity.usage': ({ days, accountId }) => {
    const since = new Date(clock())
    since.setDate(since.getDate() - (days - 1))
    return { today: localDay(clock()), rows: activity.usage(localDay(since.getTime()), accountId) }
  },
  'activity.list': (request) => {
    const given = Object.fromEntries(
      Object.entries(request).filter(([, value]) => value !== undefined),
    )
    return activity.list({ limit: request.limit, ...given } satisfies ActivityQuery)
  },
})
