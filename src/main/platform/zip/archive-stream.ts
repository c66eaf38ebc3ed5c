import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Progress } from './progress.ts'

/** Number of bytes read at once: while one block is hashed, the next one is read and the previous one is written. */
const chunkBytes = 4 * 1024 * 1024

/** Checksums of the copied bytes. */
export interface Sums {
  readonly bytes: number
  readonly sha256: string
  readonly crc: number
}

/** Source and target of a copy. */
interface Pumped {
  readonly from: FileHandle
  readonly at: number
  /** Number of bytes to read; if the file ends earlier, `bytes` reports it. */
  readonly length: number
  /** Target; absent when the range is only hashed. */
  readonly to?: { readonly file: FileHandle; readonly at: number } | undefined
  readonly progress: Progress
}

const spare: Buffer[] = []
const take = (): Buffer => spare.pop() ?? Buffer.allocUnsafeSlow(chunkBytes)

/** Copies a range of a file and computes its checksums; at most three blocks are in memory, whatever the length. */
export async function pump({ from, at, length, to, progress }: Pumped): Promise<Sums> {
  const hash = createHash('sha256')
  let crc = 0
  let done = 0
  let writing: Promise<unknown> = Promise.resolve()
  let written: Buffer | null = null
  const read = async (from_: number): Promise<{ buffer: Buffer; bytes: number }> => {
    const buffer = take()
    const want = Math.min(chunkBytes, length - from_)
    const bytes = want > 0 ? await readAll(from, buffer, want, at + from_) : 0
    return { buffer, bytes }
  }
  let next = read(0)
  try {
    for (;;) {
      const { buffer, bytes } = await next
      if (bytes === 0) {
        spare.push(buffer)
        break
      }
      const start = done
      done += bytes
      next = read(done)
      next.catch(() => undefined)
      const chunk = buffer.subarray(0, bytes)
      hash.update(chunk)
      crc = crc32(chunk, crc)
      await writing
      if (written) spare.push(written)
      written = buffer
      writing = to ? writeAll(to.file, chunk, to.at + start) : Promise.resolve()
      writing.catch(() => undefined)
      progress.add(bytes)
    }
    await writing
  } finally {
    await Promise.allSettled([writing, next])
  }
  if (written) spare.push(written)
  return { bytes: done, sha256: hash.digest('hex'), crc }
}

async function readAll(
  file: FileHandle,
  buffer: Buffer,
  length: number,
  at: number,
): Promise<number> {
  let done = 0
  while (done < length) {
    const { bytesRead } = await file.read(buffer, done, length - done, at + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return done
}

/** Writes all bytes at a position. */
export async function writeAll(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done)
    done += bytesWritten
  }
}
