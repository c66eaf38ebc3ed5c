import type { LocationQuery } from 'vue-router'

/** A question about a meeting, as part of the route that asks it. */
export interface MeetingQuestion {
  readonly meetingId: string
  readonly question: string
}

/** Returns the query of the route that contains it. */
export const questionQuery = ({
  meetingId,
  question,
}: MeetingQuestion): Record<string, string> => ({
  meeting: meetingId,
  question,
})

/** Parses it; null when the route contains none. */
export function questionOf({ meeting, question }: LocationQuery): MeetingQuestion | null {
  if (typeof meeting !== 'string' || typeof question !== 'string') return null
  return meeting === '' || question.trim() === '' ? null : { meetingId: meeting, question }
}

/** Name in the storage of the page for the accounts that were asked already. */
const askedName = 'lectern-asked-accounts'

/** Returns the IDs of the accounts that were asked about a meeting: what they do is explained only before. */
export function askedAccounts(store: Pick<Storage, 'getItem'>): readonly string[] {
  try {
    const saved: unknown = JSON.parse(store.getItem(askedName) ?? '[]')
    return Array.isArray(saved) ? saved.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

/** Remembers an account that was asked; without storage it is explained again. */
export function rememberAsked(
  store: Pick<Storage, 'getItem' | 'setItem'>,
  accountId: string,
): void {
  try {
    store.setItem(askedName, JSON.stringify([...new Set([...askedAccounts(store), accountId])]))
  } catch {
    // The question is asked anyway.
  }
}
