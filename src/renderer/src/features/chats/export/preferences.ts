/** Formats a conversation can be given out in, in the order they are offered. */
export const chatFormats = ['md', 'html', 'pdf', 'json'] as const
/** One of {@link chatFormats}. */
export type ChatFormat = (typeof chatFormats)[number]

/** How somebody exports conversations: what the dialog shows the next time. */
export interface ChatExportPreferences {
  readonly format: ChatFormat
  /** With thinking and tool calls. */
  readonly steps: boolean
}

/** Where they are kept: the page's own storage. */
export type PreferenceStore = Pick<Storage, 'getItem' | 'setItem'>

const name = 'lectern-chat-export'
const first: ChatExportPreferences = { format: 'md', steps: true }

/** Reads them; what is missing or broken is as on the first day. */
export function readPreferences(store: PreferenceStore): ChatExportPreferences {
  let saved: Partial<Record<keyof ChatExportPreferences, unknown>>
  try {
    saved = (JSON.parse(store.getItem(name) ?? '{}') ?? {}) as typeof saved
  } catch {
    return first
  }
  const format = chatFormats.find((one) => one === saved.format) ?? first.format
  return { format, steps: typeof saved.steps === 'boolean' ? saved.steps : first.steps }
}

/** Keeps them; a storage that is full or closed costs only the memory. */
export function writePreferences(store: PreferenceStore, preferences: ChatExportPreferences): void {
  try {
    store.setItem(name, JSON.stringify(preferences))
  } catch {
    // An export does not fail for the sake of the next one's comfort.
  }
}
