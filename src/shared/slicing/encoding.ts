import { DocumentFailure } from './types.ts'

const marks: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Bytes that are decoded in one go. */
const chunkBytes = 1024 * 1024

/** Decodes the bytes of one text, piece by piece; throws for bytes that are none of its encoding. */
export interface TextDecoding {
  decode(bytes?: Uint8Array, options?: { readonly stream: boolean }): string
}

/** Gives a decoder that refuses what does not fit: `TextDecoder`, which each side has of its own. */
export type DecoderOf = (encoding: string) => TextDecoding

/** Gives a promise to wait for when the work took long, else nothing. */
export type Pause = () => Promise<void> | undefined

const unixLines = (text: string): string => text.replace(/\r\n?/g, '\n')

/** The text with its line ends as `\n`; undefined for bytes that are none of this encoding. */
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
      // What follows may belong to it.
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
 * The text of a file whose encoding nobody told: a byte order mark, UTF-8, GB18030 where it gives Chinese, else Windows-1252.
 * Line ends become `\n`; between stretches `pause` is waited for. Throws {@link DocumentFailure} for bytes that are no text.
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
    throw new DocumentFailure(10001, 'The file is not a text in a known encoding')
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
