/** Formats of the words, in the order they are offered. */
export const textFormats = ['txt', 'md', 'docx', 'srt', 'vtt', 'json'] as const
/** Formats of the sound. */
export const audioFormats = ['mp3', 'wav'] as const

/** A format of the words. */
export type TextFormat = (typeof textFormats)[number]
/** A format of the sound. */
export type AudioFormat = (typeof audioFormats)[number]
/** Formats a meeting can be written in. */
export type ExportFormat = TextFormat | AudioFormat

/** Which channels of the sound are written: one by its number, both as they are, or both as one. */
export type ChannelChoice = 'both' | 'mix' | 0 | 1

/** How somebody exports: what the dialog shows the next time. Who speaks and which stretch belong to one meeting and are not kept. */
export interface ExportPreferences {
  readonly format: ExportFormat
  readonly speakers: boolean
  readonly timestamps: boolean
  readonly gaps: boolean
  readonly bom: boolean
  readonly channel: ChannelChoice
}

/** Where they are kept: the page's own storage. */
export type PreferenceStore = Pick<Storage, 'getItem' | 'setItem'>

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

/** Whether a format is one of the sound. */
export const isAudio = (format: ExportFormat): format is AudioFormat =>
  format === 'mp3' || format === 'wav'

/** Reads them; what is missing or broken is as on the first day. */
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

/** Keeps them; a storage that is full or closed costs only the memory. */
export function writePreferences(store: PreferenceStore, preferences: ExportPreferences): void {
  try {
    store.setItem(name, JSON.stringify(preferences))
  } catch {
    // An export does not fail for the sake of the next one's comfort.
  }
}
