import { localClock, localDay } from '../../../../../shared/text/local-time.ts'

/** The part of a clipboard event's data that is used. */
interface PasteData {
  readonly files: Iterable<File>
  readonly items: Iterable<Pick<DataTransferItem, 'kind' | 'getAsFile'>>
  readonly types: readonly string[]
}

/** Names that browsers give to images without a name: "image.png". */
const nameless = /^(?:image|blob|unknown)?(?:\.(\w{1,5}))?$/i

/**
 * Returns the files of a paste; none while the user is typing and the clipboard contains text, which is pasted into the
 * field.
 */
export function pastedFiles(data: PasteData, typing: boolean): readonly File[] {
  if (typing && data.types.some((type) => type.startsWith('text/'))) return []
  const files = [...data.files]
  if (files.length > 0) return files
  return [...data.items].flatMap((item) => {
    const file = item.kind === 'file' ? item.getAsFile() : null
    return file ? [file] : []
  })
}

/** Names files without a name by their time; `name` formats the date. */
export function named(
  files: readonly File[],
  at: Date,
  name: (date: string) => string,
): readonly File[] {
  const base = name(dateOf(at))
  let count = 0
  return files.map((file) => {
    const match = nameless.exec(file.name.trim())
    if (!match) return file
    count += 1
    const kind = match[1] ?? file.type.split('/')[1]?.replace('jpeg', 'jpg').split('+')[0] ?? ''
    const title = count === 1 ? base : `${base} (${count})`
    const options = { type: file.type, lastModified: file.lastModified }
    return new File([file], kind === '' ? title : `${title}.${kind}`, options)
  })
}

/** Returns local date and time, valid in file names of every system: "2026-11-21 09.05.07". */
const dateOf = (at: Date): string => `${localDay(at.getTime())} ${localClock(at.getTime(), '.')}`
