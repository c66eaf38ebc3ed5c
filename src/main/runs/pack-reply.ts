import { createDeflateRaw } from 'node:zlib'
import type { RawReply } from '../provider-client/types.ts'
import type { RunReply } from '../library-database/types.ts'

/** Responses longer than this (UTF-16 units) are saved deflated; shorter ones stay text that any SQLite tool can read. */
const packAbove = 1024 * 1024
/** Characters converted to bytes at a time: a millisecond of work. */
const chunkChars = 256 * 1024

/**
 * The response in its saved form; null for an empty one. A long one is deflated off the main thread, and passed there in chunks,
 * yielding between them.
 */
export async function packReply(raw: RawReply | null): Promise<RunReply | null> {
  if (raw === null || raw.body === '') return null
  if (raw.body.length <= packAbove) return raw
  const { status, contentType } = raw
  // The end of a stream has just joined this text: yield to waiting work first.
  await new Promise((resolve) => setImmediate(resolve))
  return { status, contentType, body: await deflated(raw.body) }
}

async function deflated(text: string): Promise<Buffer> {
  const packer = createDeflateRaw({ level: 1 })
  const write = async (): Promise<void> => {
    for (let at = 0; at < text.length;) {
      let end = Math.min(text.length, at + chunkChars)
      // Do not split a surrogate pair.
      if (end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1
      packer.write(text.slice(at, end))
      at = end
      await new Promise((resolve) => setImmediate(resolve))
    }
    packer.end()
  }
  const writing = write()
  const chunks: Buffer[] = []
  for await (const chunk of packer) chunks.push(chunk as Buffer)
  await writing
  return Buffer.concat(chunks)
}
