import type { SaveDialogOptions } from '../../../../host.ts'
import { displayName } from '../../../../platform/files/display-name.ts'

/**
 * Allowed extensions of a saved copy, by use; any other name from a provider or a document gets `.bin`. Not every system
 * preserves the web mark of a copy (`web-mark.ts`): excluded are programs, and formats whose default reader may run scripts or
 * macros (xml, and the old doc, xls and ppt), for which the name is the only evidence. A page needs its type ({@link typedOnly}).
 */
const extensions: Readonly<Record<SaveDialogOptions['use'], readonly string[]>> = {
  audio: ['wav', 'mp3', 'm4a', 'aac', 'ogg', 'oga', 'opus', 'flac', 'weba'],
  video: ['mp4', 'm4v', 'webm', 'ogv', 'mov', 'mkv', 'avi'],
  image: ['png', 'jpg', 'jpeg', 'gif', 'webp', 'bmp', 'tif', 'tiff', 'avif', 'heic', 'heif'],
  document:
    'pdf txt md markdown html htm rtf epub tex srt vtt log docx pptx xlsx odt ods odp csv tsv'.split(
      ' ',
    ),
  data: ['json', 'jsonl', 'ndjson', 'geojson', 'yaml', 'yml', 'npy', 'npz', 'parquet', 'bin'],
  archive: ['zip', 'gz', 'tar', '7z'],
}

/** Extensions that a name alone cannot justify: such pages are those that Lectern itself wrote. */
const typedOnly: ReadonlySet<string> = new Set(['html', 'htm'])

/** Extensions of content with a definite type; the first is the default. Other content may have any of {@link extensions}. */
const byType: Readonly<Record<string, readonly string[]>> = {
  'audio/wav': ['wav'],
  'audio/mpeg': ['mp3'],
  'audio/mp4': ['m4a', 'mp4'],
  'audio/aac': ['aac'],
  'audio/ogg': ['ogg', 'oga', 'opus'],
  'audio/flac': ['flac'],
  'audio/webm': ['weba', 'webm'],
  'video/mp4': ['mp4', 'm4v', 'm4a', 'mov'],
  'video/ogg': ['ogv', 'ogg'],
  'video/webm': ['webm', 'mkv'],
  'application/pdf': ['pdf'],
  'application/zip': ['zip'],
  'text/html': ['html', 'htm'],
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/bmp': ['bmp'],
  'image/tiff': ['tif', 'tiff'],
  'image/avif': ['avif'],
  'image/heic': ['heic', 'heif'],
}

/** Device names, which Windows treats as the device whatever extension they have. */
const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³])(?=\.|$)/i

/** Maximum length of a name in UTF-8 bytes: file systems allow 255, encrypted ones less. */
const maxBytes = 140

/** A name without its extension, and the extension as it was typed. */
const parted = (name: string): readonly [stem: string, extension: string] => {
  const [, stem = name, extension = ''] = /^(.+)\.([^.\s]{1,10})$/u.exec(name) ?? []
  return [stem, extension]
}

/**
 * Returns the suggested file name for content: safe on every system (no folders, reserved names, control characters, trailing
 * dots or spaces), no longer than file systems allow, with an extension that matches the content. `type` is detected from the
 * content. A file that the user imported as `importedName` keeps the extension of that name if its content allows it.
 */
export function saveName(
  name: string,
  type: string,
  importedName: string | null = null,
): SaveDialogOptions {
  const clean = displayName(name)
  const [stem, typed] = parted(clean)
  const typedLower = typed.toLowerCase()
  const own = importedName === null ? '' : parted(displayName(importedName))[1].toLowerCase()
  const allowed = byType[type]
  const usable = Object.values(extensions)
    .flat()
    .filter((each) => !typedOnly.has(each))
  const fits = typedLower !== '' && (allowed ?? [...usable, own]).includes(typedLower)
  const fallback = allowed?.[0] ?? (type === 'application/json' ? 'json' : own || 'bin')
  const extension = fits ? typedLower : fallback
  // A harmless but wrong extension is replaced; anything else may be part of the name (`Talk 3.5`).
  const base = fits || usable.includes(typedLower) ? stem : clean
  const whole = base.replace(reserved, (device) => `_${device}`)
  const ending = `.${fits ? typed : extension}`
  const use = extension === own ? useOf(own, 'document') : useOf(extension)
  return { suggestedName: shortened(whole, ending), extension, use }
}

/** Cuts between graphemes, and without a space or dot at the cut. */
function shortened(base: string, ending: string): string {
  let left = maxBytes - Buffer.byteLength(ending)
  let result = ''
  // Created here: the first segmenter of a process loads the data of ICU, which takes 10 ms.
  const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const { segment } of graphemes.segment(base)) {
    left -= Buffer.byteLength(segment)
    if (left < 0) break
    result += segment
  }
  return `${result.replace(/[\s.]+$/u, '') || 'file'}${ending}`
}

function useOf(
  extension: string,
  otherwise: SaveDialogOptions['use'] = 'data',
): SaveDialogOptions['use'] {
  for (const [use, some] of Object.entries(extensions))
    if (some.includes(extension)) return use as SaveDialogOptions['use']
  return otherwise
}
