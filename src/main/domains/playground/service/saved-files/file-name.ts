import type { SavedRole } from '../../../../../shared/model/saved-file.ts'
import { displayName } from '../../../../platform/files/display-name.ts'

/** Default file name of each role if the URL has none. */
const defaultNames: Readonly<Record<SavedRole, string>> = {
  video: 'video',
  cover: 'cover',
  image: 'picture',
  audio: 'sound',
  file: 'file',
  page: 'page',
}

/** Maximum length of a name taken from a URL, in characters. */
const maxNameLength = 80

/** A name to save a file under: the end of its URL if that is a name, else its role and number (from 1). */
export function fileNameOf(role: SavedRole, place: number, address: string): string {
  const plain = `${defaultNames[role]}-${place + 1}`
  if (!URL.canParse(address)) return plain
  const last = decoded(new URL(address).pathname.split('/').at(-1) ?? '')
  const ending = /\.([a-z0-9]{1,5})$/i.exec(last)?.[1]?.toLowerCase()
  // Providers' file names are random letters: the plain name with the extension is more descriptive.
  if (ending !== undefined && (last.length > maxNameLength || /^[\w-]{16,}\./.test(last)))
    return `${plain}.${ending}`
  return ending === undefined ? plain : displayName(last)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
