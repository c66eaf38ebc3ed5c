import { open, type FileHandle } from 'node:fs/promises'
import type { ByteReader } from '../../../media/media-response.ts'
import { waveHeaderBytes } from '../../../audio/session-files.ts'
import type { Part } from '../../../audio/session-parts.ts'

/** A header followed by the audio of all parts, read as one file. A read may return less than requested at a part boundary. */
export function openParts(
  header: Uint8Array,
  parts: readonly Part[],
  frameBytes: number,
): ByteReader {
  let held: { readonly number: number; readonly file: FileHandle } | null = null

  async function close(): Promise<void> {
    const before = held
    held = null
    await before?.file.close()
  }

  async function fileOf({ number, path }: Part): Promise<FileHandle> {
    if (held?.number === number) return held.file
    await close()
    const file = await open(path, 'r')
    held = { number, file }
    return file
  }

  return {
    close,
    async read(into, offset, length, position) {
      if (position < header.length) {
        const chunk = header.subarray(position, position + length)
        into.set(chunk, offset)
        return { bytesRead: chunk.length }
      }
      const at = position - header.length
      const part = parts.find(({ frame, frames }) => at < (frame + frames) * frameBytes)
      if (!part) return { bytesRead: 0 }
      const inPart = at - part.frame * frameBytes
      const maxBytes = Math.min(length, part.frames * frameBytes - inPart)
      const file = await fileOf(part)
      return await file.read(into, offset, maxBytes, waveHeaderBytes + inPart)
    },
  }
}
