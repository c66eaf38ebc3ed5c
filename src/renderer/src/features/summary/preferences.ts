/** How somebody has meetings summed up: what the panel shows the next time. */
export interface SummaryPreferences {
  readonly templateId: string
  /** Empty: the meeting's own account. */
  readonly accountId: string
  /** Empty: the plain assistant. */
  readonly assistantId: string
}

/** Where they are kept: the page's own storage. */
export type PreferenceStore = Pick<Storage, 'getItem' | 'setItem'>

const name = 'lectern-summary'

/** Reads them; what is missing or broken is as on the first day. */
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

/** Keeps them; a storage that is full or closed costs only the memory. */
export function writePreferences(store: PreferenceStore, preferences: SummaryPreferences): void {
  try {
    store.setItem(name, JSON.stringify(preferences))
  } catch {
    // A summary does not fail for the sake of the next one's comfort.
  }
}
