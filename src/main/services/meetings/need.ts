import type { Meeting } from '../../../shared/model/meeting.ts'
import { AppError } from '../../errors.ts'
import type { Store } from '../../store/types.ts'

/** Looks up what a request names; throws NOT_FOUND for what is not there. */
export interface Needs {
  meeting(id: string): Meeting
  /** Nothing when none is named. A meeting given to an account that is not there would wait for it without end. */
  account(id: string | undefined): void
}

/** Looks in the store. */
export function createNeeds(store: Pick<Store, 'meetings' | 'accounts'>): Needs {
  return {
    meeting(id) {
      const meeting = store.meetings.get(id)
      if (!meeting) throw new AppError('NOT_FOUND', 'There is no such meeting')
      return meeting
    },
    account(id) {
      if (id !== undefined && !store.accounts.get(id))
        throw new AppError('NOT_FOUND', 'There is no such account')
    },
  }
}
