import { DocumentFailure } from '../types.ts'

const marks: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

function tryDecode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/**
 * The text of a file whose encoding nobody told: a byte order mark, UTF-8, GB18030 where it gives Chinese, else Windows-1252.
 * Line ends become `\n`. Throws {@link DocumentFailure} for bytes that are no text.
 */
export function decodeText(bytes: Uint8Array): string {
  const marked = marks.find(([, mark]) => mark.every((byte, i) => bytes[i] === byte))?.[0]
  const text = marked ? tryDecode(bytes, marked) : unmarked(bytes)
  if (text === undefined || text.includes('\0'))
    throw new DocumentFailure(10001, 'The file is not a text in a known encoding')
  return text.replace(/\r\n?/g, '\n')
}

function unmarked(bytes: Uint8Array): string | undefined {
  const plain = tryDecode(bytes, 'utf-8')
  if (plain !== undefined) return plain
  const chinese = tryDecode(bytes, 'gb18030')
  if (chinese !== undefined && /\p{Script=Han}/u.test(chinese)) return chinese
  return tryDecode(bytes, 'windows-1252')
}
