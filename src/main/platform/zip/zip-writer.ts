import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { pump, writeAll, type Sums } from './archive-stream.ts'
import type { Progress } from './progress.ts'
import { centralLine, headerBytes, localHeader, tail, type ZipItem } from './zip-format.ts'

/** Writes an archive from its beginning to its end. */
interface ZipWriter {
  /** Copies `length` bytes of a file; `accept` may reject the entry, of which then nothing remains. */
  file(
    name: string,
    from: FileHandle,
    length: number,
    accept?: (sums: Sums) => boolean,
  ): Promise<Sums>
  bytes(name: string, content: Uint8Array): Promise<Sums>
  /** Writes the directory and the end records; returns the length of the archive. */
  finish(): Promise<number>
}

/** Begins an archive in an empty file. A header is written once the checksums of its file are known. */
export function createZipWriter(to: FileHandle, progress: Progress): ZipWriter {
  const items: ZipItem[] = []
  let at = 0
  const list = async (name: string, sums: Sums): Promise<void> => {
    const item = { name, bytes: sums.bytes, crc: sums.crc, at }
    await writeAll(to, localHeader(item), at)
    items.push(item)
    at += headerBytes(Buffer.from(name, 'utf8')) + sums.bytes
  }
  return {
    async file(name, from, length, accept = () => true) {
      const body = at + headerBytes(Buffer.from(name, 'utf8'))
      const sums = await pump({ from, at: 0, length, to: { file: to, at: body }, progress })
      if (accept(sums)) await list(name, sums)
      return sums
    },
    async bytes(name, content) {
      await writeAll(to, content, at + headerBytes(Buffer.from(name, 'utf8')))
      const sums = {
        bytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex'),
        crc: crc32(content),
      }
      await list(name, sums)
      return sums
    },
    async finish() {
      const lines = Buffer.concat(items.map(centralLine))
      const end = Buffer.concat([lines, tail(items.length, lines.length, at)])
      await writeAll(to, end, at)
      // A rejected entry may have been longer than the current end.
      await to.truncate(at + end.length)
      return at + end.length
    },
  }
}
