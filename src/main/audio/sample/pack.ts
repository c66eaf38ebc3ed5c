import { readFile } from 'node:fs/promises'
import { createZip } from '../../exports/documents/zip.ts'
import type { PackEntry } from './messages.ts'

/** Packs a few files and texts into one archive in memory: samples are small. */
export async function packed(entries: readonly PackEntry[]): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  const zip = createZip({
    async write(chunk) {
      // A copy: the buffer may be reused for the next chunk.
      const bytes = Buffer.from(chunk)
      chunks.push(bytes)
      size += bytes.length
    },
    get size() {
      return size
    },
    async close() {},
  })
  for (const entry of entries)
    await zip.store(
      entry.name,
      'path' in entry ? await readFile(entry.path) : Buffer.from(entry.text, 'utf8'),
    )
  await zip.finish()
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
