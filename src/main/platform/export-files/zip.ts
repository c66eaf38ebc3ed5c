import { Zip, ZipDeflate } from 'fflate'
import type { FileWriter } from './file-writer.ts'

/** A text file inside an archive that is written in parts. */
interface ZipText {
  write(text: string): Promise<void>
  /** Ends the entry; nothing can be written to it afterwards. */
  end(): Promise<void>
}

/** Writes an archive entry by entry, with only one in memory at a time. */
export interface ZipWriter {
  /** Adds bytes; `stored` does not compress them, since images do not get smaller. */
  add(name: string, bytes: Uint8Array, how: 'stored' | 'deflated'): Promise<void>
  /** Begins an entry that is deflated as a stream. It must end before another entry begins. */
  text(name: string): Promise<ZipText>
  /** Writes the directory; nothing can follow. */
  finish(): Promise<void>
}

/** January 1, 1980, the format's earliest date: archives of the same content are identical. */
export const zipDate = new Date(1980, 0, 1)

const largest = 0xffff_ffff
/** Bytes that are deflated at once. */
const block = 1024 * 1024

/** Begins an archive (without the format's 64-bit extension: up to 65,535 entries and 4 GB, more is an error). */
export function createZip(file: FileWriter): ZipWriter {
  let chunks: Uint8Array[] = []
  let entries = 0
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    chunks.push(chunk)
  })
  const begin = (
    name: string,
    level: 0 | 6,
  ): { push(bytes: Uint8Array, last: boolean): Promise<void> } => {
    // Level 0 is a deflated entry, too: its sizes follow it, which not every reader accepts of stored ones.
    const entry = new ZipDeflate(name, { level })
    entry.mtime = zipDate
    let size = 0
    entries += 1
    zip.add(entry)
    return {
      async push(bytes, last) {
        size += bytes.length
        entry.push(bytes, last)
        await flush()
        if (size > largest) throw tooLarge()
      },
    }
  }
  const flush = async (): Promise<void> => {
    const ready = chunks
    chunks = []
    for (const chunk of ready) await file.write(chunk)
    if (file.size > largest || entries > 0xffff) throw tooLarge()
  }
  return {
    async add(name, bytes, how) {
      const entry = begin(name, how === 'stored' ? 0 : 6)
      // The library copies what it is given.
      for (let at = 0; at < bytes.length; at += block)
        await entry.push(bytes.subarray(at, at + block), false)
      await entry.push(new Uint8Array(0), true)
    },
    async text(name) {
      const entry = begin(name, 6)
      return {
        write: (text) => entry.push(Buffer.from(text, 'utf8'), false),
        end: () => entry.push(new Uint8Array(0), true),
      }
    },
    async finish() {
      zip.end()
      await flush()
    },
  }
}

const tooLarge = (): Error => new Error('The archive exceeds 4 GB or 65,535 files')
