/** Export formats of a document, in display order. */
export const documentFormats = ['md', 'docx', 'pdf', 'html', 'xlsx', 'csv', 'txt', 'json'] as const
/** One of {@link documentFormats}. */
export type DocumentFormat = (typeof documentFormats)[number]
/** Image resolutions in dots per inch. */
export const resolutions = [150, 200] as const
/** Margins around a cropped image, as fractions of the page. */
export const margins = [0, 0.005, 0.02, 0.05] as const

/** Export preferences, restored the next time. Page ranges belong to one document and are not saved. */
export interface DocumentExportPreferences {
  format: DocumentFormat
  images: boolean
  /** Whether each cell of a merged one gets its text. */
  repeat: boolean
  pageMarks: boolean
  highlights: boolean
  /** Whether the text begins with its origin and what the engine reported. */
  details: boolean
  dpi: (typeof resolutions)[number]
  margin: (typeof margins)[number]
}

/** Storage of the preferences: the page's own. */
type PreferenceStore = Pick<Storage, 'getItem' | 'setItem'>

const name = 'lectern-document-export'
const first: Readonly<DocumentExportPreferences> = {
  format: 'md',
  images: true,
  repeat: false,
  pageMarks: false,
  highlights: true,
  details: false,
  dpi: 200,
  margin: 0.005,
}

/** Reads the preferences; missing or invalid ones have their defaults. */
export function readPreferences(store: PreferenceStore): DocumentExportPreferences {
  let saved: Partial<Record<keyof DocumentExportPreferences, unknown>>
  try {
    saved = (JSON.parse(store.getItem(name) ?? '{}') ?? {}) as typeof saved
  } catch {
    return { ...first }
  }
  const flag = (key: 'images' | 'repeat' | 'pageMarks' | 'highlights' | 'details'): boolean =>
    typeof saved[key] === 'boolean' ? saved[key] : first[key]
  return {
    format: documentFormats.find((one) => one === saved.format) ?? first.format,
    images: flag('images'),
    repeat: flag('repeat'),
    pageMarks: flag('pageMarks'),
    highlights: flag('highlights'),
    details: flag('details'),
    dpi: resolutions.find((one) => one === saved.dpi) ?? first.dpi,
    margin: margins.find((one) => one === saved.margin) ?? first.margin,
  }
}

/** Saves the preferences; a full or unavailable storage is ignored. */
export function writePreferences(
  store: PreferenceStore,
  preferences: DocumentExportPreferences,
): void {
  try {
    store.setItem(name, JSON.stringify(preferences))
  } catch {
    // An export must not fail because preferences cannot be saved.
  }
}
