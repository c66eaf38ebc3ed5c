/** Export formats of a chat, in display order. */
export const chatFormats = ['md', 'html', 'pdf', 'json'] as const
/** One of {@link chatFormats}. */
export type ChatFormat = (typeof chatFormats)[number]

/** Preferences for exporting chats, restored the next time. */
export interface ChatExportPreferences {
  format: ChatFormat
  /** Whether reasoning and tool calls are included. */
  steps: boolean
}

/** Storage of the preferences: the page's own storage. */
type PreferenceStore = Pick<Storage, 'getItem' | 'setItem'>

const name = 'lectern-chat-export'
const first: Readonly<ChatExportPreferences> = { format: 'md', steps: true }

/** Reads the preferences; missing or invalid ones have their defaults. */
export function readPreferences(store: PreferenceStore): ChatExportPreferences {
  let saved: Partial<Record<keyof ChatExportPreferences, unknown>>
  try {
    saved = (JSON.parse(store.getItem(name) ?? '{}') ?? {}) as typeof saved
  } catch {
    return { ...first }
  }
  const format = chatFormats.find((one) => one === saved.format) ?? first.format
  return { format, steps: typeof saved.steps === 'boolean' ? saved.steps : first.steps }
}

/** Saves the preferences; if the storage is full or unavailable, they are only not remembered. */
export function writePreferences(store: PreferenceStore, preferences: ChatExportPreferences): void {
  try {
    store.setItem(name, JSON.stringify(preferences))
  } catch {
    // A failure to save the preferences must not fail the export.
  }
}
