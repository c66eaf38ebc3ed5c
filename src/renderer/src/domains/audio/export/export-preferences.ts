/** Text formats, in display order. */
export const textFormats = ['txt', 'md', 'docx', 'pdf', 'srt', 'vtt', 'json'] as const
/** Audio formats. */
export const audioFormats = ['mp3', 'wav'] as const

/** One of {@link textFormats}. */
export type TextFormat = (typeof textFormats)[number]
/** One of {@link audioFormats}. */
export type AudioFormat = (typeof audioFormats)[number]
/** Export formats of a meeting. */
export type ExportFormat = TextFormat | AudioFormat

/** Exported audio channels: one by its number, both separately, or both mixed. */
export type ChannelChoice = 'both' | 'mix' | 0 | 1

/** Export preferences, restored the next time. Speakers and range belong to one meeting and are not saved. */
export interface ExportPreferences {
  readonly format: ExportFormat
  readonly speakers: boolean
  readonly timestamps: boolean
  readonly gaps: boolean
  readonly bom: boolean
  readonly channel: ChannelChoice
}

/** Storage of the preferences: the page's own. */
type PreferenceStore = Pick<Storage, 'getItem' | 'setItem'>

const name = 'lectern-export'
const first: ExportPreferences = {
  format: 'md',
  speakers: true,
  timestamps: true,
  gaps: true,
  bom: false,
  channel: 'mix',
}
const formats: readonly unknown[] = [...textFormats, ...audioFormats]
const channels: readonly unknown[] = ['both', 'mix', 0, 1]

/** Whether a format is an audio format. */
export const isAudio = (format: ExportFormat): format is AudioFormat =>
  format === 'mp3' || format === 'wav'

/** Reads the preferences; missing or invalid ones have their defaults. */
export function readPreferences(store: PreferenceStore): ExportPreferences {
  let saved: Partial<Record<keyof ExportPreferences, unknown>>
  try {
    saved = (JSON.parse(store.getItem(name) ?? '{}') ?? {}) as typeof saved
  } catch {
    return first
  }
  const flag = (key: 'speakers' | 'timestamps' | 'gaps' | 'bom'): boolean =>
    typeof saved[key] === 'boolean' ? saved[key] : first[key]
  return {
    format: formats.includes(saved.format) ? (saved.format as ExportFormat) : first.format,
    speakers: flag('speakers'),
    timestamps: flag('timestamps'),
    gaps: flag('gaps'),
    bom: flag('bom'),
    channel: channels.includes(saved.channel) ? (saved.channel as ChannelChoice) : first.channel,
  }
}

/** Saves the preferences; a full or unavailable storage is ignored. */
export function writePreferences(store: PreferenceStore, preferences: ExportPreferences): void {
  try {
    store.setItem(name, JSON.stringify(preferences))
  } catch {
    // An export must not fail because preferences cannot be saved.
  }
}
