import { open } from 'node:fs/promises'
import type { ByteSource } from '../../../../shared/audio/byte-source.ts'
import { AppError } from '../../../errors.ts'
import { windowOf } from '../../files/file-window.ts'

/** Audio file that is open for reading. */
export interface AudioSource {
  readonly size: number
  /** Window for header parsers. */
  readonly bytes: ByteSource
  /** Reads bytes from an offset; fewer at the end of the file. The caller owns them. */
  read(at: number, length: number): Promise<Uint8Array<ArrayBuffer>>
  close(): Promise<void>
}

/** Opens a file. Throws FILE_MISSING, and EMPTY_FILE for an empty one. */
export async function openSource(path: string): Promise<AudioSource> {
  const handle = await open(path, 'r').catch((cause: unknown) => {
    throw new AppError('FILE_MISSING', 'The audio file cannot be opened', { cause })
  })
  const { size } = await handle.stat()
  if (size === 0) {
    await handle.close()
    throw new AppError('EMPTY_FILE', 'The audio file is empty')
  }
  return {
    size,
    bytes: windowOf(handle, size),
    async read(at, length) {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - at)))
      let filled = 0
      while (filled < bytes.length) {
        const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, at + filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      return bytes.subarray(0, filled)
    },
    close: () => handle.close(),
  }
}
