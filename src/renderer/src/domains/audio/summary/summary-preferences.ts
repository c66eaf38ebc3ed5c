/** The user's options for summaries, which the panel shows the next time. */
export interface SummaryPreferences {
  readonly templateId: string
  /** Empty: the meeting's own account. */
  readonly accountId: string
  /** Empty: the plain assistant. */
  readonly assistantId: string
}

/** Storage of the preferences: the page's own. */
type PreferenceStore = Pick<Storage, 'getItem' | 'setItem'>

const name = 'lectern-summary'

/** Reads them; missing or broken values get their default. */
export function readPreferences(store: PreferenceStore): SummaryPreferences {
  let saved: Partial<Record<keyof SummaryPreferences, unknown>>
  try {
    saved = (JSON.parse(store.getItem(name) ?? '{}') ?? {}) as typeof saved
  } catch {
    saved = {}
  }
  const text = (key: keyof SummaryPreferences): string =>
    typeof saved[key] === 'string' ? saved[key] : ''
  return {
    templateId: text('templateId'),
    accountId: text('accountId'),
    assistantId: text('assistantId'),
  }
}

/** Saves them; if the storage is full or unavailable, they are just not remembered. */
export function writePreferences(store: PreferenceStore, preferences: SummaryPreferences): void {
  try {
    store.setItem(name, JSON.stringify(preferences))
  } catch {
    // A summary must not fail because its preferences cannot be saved.
  }
}
