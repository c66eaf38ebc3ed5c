import type { FileHandle } from 'node:fs/promises'
import type { ByteSource } from '../../../shared/audio/byte-source.ts'

/** Bytes read at a time: walking an MP3 reads a few bytes every few hundred. */
const chunkBytes = 256 * 1024

/** Returns a view of an open file that caches one chunk of it in memory. */
export function windowOf(handle: Pick<FileHandle, 'read'>, size: number): ByteSource {
  const chunk = Buffer.allocUnsafeSlow(Math.min(chunkBytes, Math.max(size, 1)))
  let start = 0
  let filled = 0
  return {
    size,
    async bytes(offset, length) {
      const wanted = Math.max(0, Math.min(length, chunk.length, size - offset))
      if (offset < start || offset + wanted > start + filled) {
        start = offset
        filled = 0
        while (filled < chunk.length) {
          const { bytesRead } = await handle.read(
            chunk,
            filled,
            chunk.length - filled,
            offset + filled,
          )
          if (bytesRead === 0) break
          filled += bytesRead
        }
      }
      return chunk.subarray(offset - start, Math.min(offset - start + wanted, filled))
    },
  }
}
