import { DocumentFailure } from './types.ts'

const marks: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Number of bytes decoded at once. */
const chunkBytes = 1024 * 1024

/** Decodes the bytes of one text, chunk by chunk; throws for bytes that are invalid in its encoding. */
interface TextDecoding {
  decode(bytes?: Uint8Array, options?: { readonly stream: boolean }): string
}

/** Returns a decoder that rejects invalid bytes: each environment has its own `TextDecoder`. */
export type DecoderOf = (encoding: string) => TextDecoding

/** Returns a promise to await when the work took long, otherwise nothing. */
export type Pause = () => Promise<void> | undefined

const unixLines = (text: string): string => text.replace(/\r\n?/g, '\n')

/** Returns the text with `\n` line breaks; undefined for bytes that are invalid in this encoding. */
async function tryDecode(
  bytes: Uint8Array,
  encoding: string,
  decoderOf: DecoderOf,
  pause: Pause,
): Promise<string | undefined> {
  const decoder = decoderOf(encoding)
  const parts: string[] = []
  let held = ''
  try {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      const chunk = bytes.subarray(at, at + chunkBytes)
      const text = held + decoder.decode(chunk, { stream: true })
      // The next chunk may begin with the line feed.
      held = text.endsWith('\r') ? '\r' : ''
      parts.push(unixLines(held ? text.slice(0, -1) : text))
      await pause()
    }
    parts.push(unixLines(held + decoder.decode()))
  } catch {
    return undefined
  }
  return parts.join('')
}

/**
 * Decodes the text of a file with unknown encoding: a byte order mark, UTF-8, GB18030 if the result is Chinese, otherwise
 * Windows-1252. Line breaks become `\n`; `pause` is awaited between chunks. Throws {@link DocumentFailure} for bytes that are
 * not text.
 */
export async function decodeText(
  bytes: Uint8Array,
  decoderOf: DecoderOf,
  pause: Pause = () => undefined,
): Promise<string> {
  const marked = marks.find(([, mark]) => mark.every((byte, i) => bytes[i] === byte))?.[0]
  const text = await (marked
    ? tryDecode(bytes, marked, decoderOf, pause)
    : unmarked(bytes, decoderOf, pause))
  if (text === undefined || text.includes('\0'))
    throw new DocumentFailure(10001, 'The file is not text in a known encoding')
  return text
}

async function unmarked(
  bytes: Uint8Array,
  decoderOf: DecoderOf,
  pause: Pause,
): Promise<string | undefined> {
  const plain = await tryDecode(bytes, 'utf-8', decoderOf, pause)
  if (plain !== undefined) return plain
  const chinese = await tryDecode(bytes, 'gb18030', decoderOf, pause)
  if (chinese !== undefined && /\p{Script=Han}/u.test(chinese)) return chinese
  return tryDecode(bytes, 'windows-1252', decoderOf, pause)
}
