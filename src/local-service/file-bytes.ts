import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { ByteStream } from './http.ts'

async function* read(path: string): AsyncGenerator<Uint8Array> {
  for await (const chunk of createReadStream(path)) yield chunk as Uint8Array
}

/**
 * Returns the bytes of a file, which is opened when the first byte is sent; undefined if it does not exist.
 */
export async function fileBytes(path: string): Promise<ByteStream | undefined> {
  const facts = await stat(path).catch(() => undefined)
  return facts?.isFile() ? { length: facts.size, bytes: read(path) } : undefined
}
