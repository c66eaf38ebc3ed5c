/** What a page of such a document is. */
export type PageUnit = 'page' | 'section' | 'slide' | 'sheet' | 'chapter'

/**
 * Files that contain their text: read on this computer, whatever account is active, and shown without page images. By file
 * name extension.
 */
export const textFormats = {
  docx: {
    mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    kind: 'Word',
    unit: 'section',
  },
  pptx: {
    mime: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    kind: 'PowerPoint',
    unit: 'slide',
  },
  xlsx: {
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    kind: 'Excel',
    unit: 'sheet',
  },
  epub: { mime: 'application/epub+zip', kind: 'EPUB', unit: 'chapter' },
  html: { mime: 'text/html', kind: 'HTML', unit: 'section' },
  md: { mime: 'text/markdown', kind: 'Markdown', unit: 'section' },
  txt: { mime: 'text/plain', kind: 'text', unit: 'section' },
} as const

export type TextFormat = keyof typeof textFormats
export type TextMime = (typeof textFormats)[TextFormat]['mime']

const aliases: Readonly<Record<string, TextFormat>> = {
  htm: 'html',
  xhtml: 'html',
  markdown: 'md',
  text: 'txt',
}

/** Formats of older programs, with the kind of file and the format to save as instead. */
const legacyFormats = { doc: 'docx', ppt: 'pptx', xls: 'xlsx' } as const

/** File name extensions of all text formats. */
export const textEndings: readonly string[] = [...Object.keys(textFormats), ...Object.keys(aliases)]

const endingOf = (name: string): string => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** Returns the format that the name of a file claims; null for any other. */
export function textFormatOf(name: string): TextFormat | null {
  const ending = endingOf(name)
  if (Object.hasOwn(textFormats, ending)) return ending as TextFormat
  return (Object.hasOwn(aliases, ending) ? aliases[ending] : null) ?? null
}

/** Returns the format of a stored file; null if its content shows that it is something else. */
export const textFormatOfFile = (file: {
  readonly name: string
  readonly mime: string
}): TextFormat | null =>
  /^(?:audio|video|image)\/|^application\/pdf$/.test(file.mime) ? null : textFormatOf(file.name)

/** Returns the format that a file of an older format can be saved as; null for any other. */
export function newerFormatOf(name: string): TextFormat | null {
  const ending = endingOf(name)
  return Object.hasOwn(legacyFormats, ending)
    ? legacyFormats[ending as keyof typeof legacyFormats]
    : null
}

/** Returns the format of a document; null for a PDF or image. */
export function textFormatOfMime(mime: string | undefined): TextFormat | null {
  for (const [format, { mime: own }] of Object.entries(textFormats))
    if (own === mime) return format as TextFormat
  return null
}

/** Returns what the pages of a document of this type are called. */
export function pageUnit(mime: string | undefined): PageUnit {
  const format = textFormatOfMime(mime)
  return format ? textFormats[format].unit : 'page'
}
