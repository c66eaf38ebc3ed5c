import type { Meeting } from '../../../shared/model/meeting.ts'
import { AppError } from '../../errors.ts'
import type { Store } from '../../store/types.ts'

/** Looks up the entities of a request; throws NOT_FOUND for missing ones, and for those of another meeting. */
export interface Needs {
  meeting(id: string): Meeting
  /** Does nothing without an ID. A meeting assigned to a missing account would wait for it forever. */
  account(id: string | undefined): void
  bookmark(meetingId: string, bookmarkId: string): void
  summary(meetingId: string, summaryId: string): void
  versions(meetingId: string, versionIds: readonly string[]): void
}

/** Creates lookups over the store. */
export function createNeeds(store: Pick<Store, 'meetings' | 'accounts'>): Needs {
  const meeting: Needs['meeting'] = (id) => {
    const found = store.meetings.get(id)
    if (!found) throw new AppError('NOT_FOUND', 'Meeting not found')
    return found
  }
  const among = (rows: readonly { readonly id: string }[], id: string, what: string): void => {
    if (!rows.some((row) => row.id === id))
      throw new AppError('NOT_FOUND', `The ${what} was not found`)
  }
  return {
    meeting,
    account(id) {
      if (id !== undefined && !store.accounts.get(id))
        throw new AppError('NOT_FOUND', 'Account not found')
    },
    bookmark: (id, bookmarkId) => among(meeting(id).bookmarks, bookmarkId, 'bookmark'),
    summary: (id, summaryId) => among(meeting(id).summaries, summaryId, 'summary'),
    versions(id, versionIds) {
      meeting(id)
      for (const versionId of versionIds) {
        const { segmentId = '' } = store.meetings.version(versionId) ?? {}
        if (store.meetings.segment(segmentId)?.meetingId !== id)
          throw new AppError('NOT_FOUND', 'Version not found')
      }
    },
  }
}
