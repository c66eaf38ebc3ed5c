import { once } from 'node:events'
import { crc32, createDeflateRaw, inflateRawSync } from 'node:zlib'
import type { FileWriter } from './file-writer.ts'

/** A file inside an archive as stored: `method` 0 is stored, 8 deflated. */
export interface ZipEntry {
  readonly name: string
  readonly method: number
  readonly crc: number
  /** Size in bytes when unpacked. */
  readonly size: number
  readonly packed: Uint8Array
}

/** A text file inside an archive that is written in parts. */
export interface ZipText {
  write(text: string): Promise<void>
  /** Ends the entry; nothing can be written to it afterwards. */
  end(): Promise<void>
}

/** Writes an archive entry by entry, with only one in memory at a time. */
export interface ZipWriter {
  /** Copies a packed entry of another archive. */
  copy(entry: ZipEntry): Promise<void>
  /** Stores bytes unpacked, since images do not compress. */
  store(name: string, bytes: Uint8Array): Promise<void>
  /** Begins an entry that is deflated as a stream, with its sizes after it. It must end before another entry begins. */
  text(name: string): Promise<ZipText>
  /** Writes the directory; nothing can follow. */
  finish(): Promise<void>
}

const local = 0x04034b50
const central = 0x02014b50
const end = 0x06054b50
const descriptor = 0x08074b50
/** Flag: names are UTF-8. */
const utf8 = 0x0800
/** Flag: checksum and sizes follow the entry because they are not known where it begins. */
const sizesBehind = 0x0008
/** January 1, 1980, the format's earliest date: archives of the same content are identical. */
const date = 0x0021
const largest = 0xffff_ffff

/**
 * Begins an archive (PKWARE's format without its 64-bit extension: up to 65,535 entries and 4 GB, more is an error).
 */
export function createZip(file: FileWriter): ZipWriter {
  const directory: Buffer[] = []
  const begin = async (facts: EntryFacts): Promise<void> => {
    if (directory.length >= 0xffff || file.size + facts.packed > largest)
      throw new Error('The archive exceeds 4 GB or 65,535 files')
    const header = Buffer.alloc(30)
    header.writeUInt32LE(local, 0)
    writeFacts(header, 4, facts)
    await file.write(header)
    await file.write(facts.name)
  }
  const list = (facts: EntryFacts, at: number): void => {
    const line = Buffer.alloc(46)
    line.writeUInt32LE(central, 0)
    line.writeUInt16LE(20, 4)
    writeFacts(line, 6, facts)
    line.writeUInt32LE(at, 42)
    directory.push(Buffer.concat([line, facts.name]))
  }
  const copy = async (entry: ZipEntry): Promise<void> => {
    const at = file.size
    const facts = {
      ...entry,
      name: Buffer.from(entry.name, 'utf8'),
      flags: utf8,
      packed: entry.packed.length,
    }
    await begin(facts)
    await file.write(entry.packed)
    list(facts, at)
  }
  return {
    copy,
    async text(name) {
      const at = file.size
      const facts = {
        name: Buffer.from(name, 'utf8'),
        flags: utf8 | sizesBehind,
        method: 8,
        crc: 0,
        size: 0,
        packed: 0,
      }
      await begin(facts)
      const from = file.size
      const deflate = createDeflateRaw()
      let chunks: Buffer[] = []
      deflate.on('data', (chunk: Buffer) => void chunks.push(chunk))
      const flush = async (): Promise<void> => {
        const ready = chunks
        chunks = []
        for (const chunk of ready) await file.write(chunk)
      }
      return {
        async write(text) {
          const bytes = Buffer.from(text, 'utf8')
          facts.crc = crc32(bytes, facts.crc)
          facts.size += bytes.length
          await new Promise<void>((resolve, reject) => {
            deflate.write(bytes, (error) => (error ? reject(error) : resolve()))
          })
          await flush()
        },
        async end() {
          const over = once(deflate, 'end')
          deflate.end()
          await over
          await flush()
          facts.packed = file.size - from
          if (file.size > largest || facts.size > largest)
            throw new Error('The archive exceeds 4 GB or 65,535 files')
          const behind = Buffer.alloc(16)
          behind.writeUInt32LE(descriptor, 0)
          behind.writeUInt32LE(facts.crc, 4)
          behind.writeUInt32LE(facts.packed, 8)
          behind.writeUInt32LE(facts.size, 12)
          await file.write(behind)
          list(facts, at)
        },
      }
    },
    store: (name, bytes) =>
      copy({ name, method: 0, crc: crc32(bytes), size: bytes.length, packed: bytes }),
    async finish() {
      const at = file.size
      const lines = Buffer.concat(directory)
      const tail = Buffer.alloc(22)
      tail.writeUInt32LE(end, 0)
      tail.writeUInt16LE(directory.length, 8)
      tail.writeUInt16LE(directory.length, 10)
      tail.writeUInt32LE(lines.length, 12)
      tail.writeUInt32LE(at, 16)
      await file.write(lines)
      await file.write(tail)
    },
  }
}

/** Fields that file headers and directory entries share. */
interface EntryFacts extends Omit<ZipEntry, 'name' | 'packed'> {
  readonly name: Buffer
  readonly flags: number
  /** Number of bytes in the archive. */
  readonly packed: number
}

/**
 * Writes the fields that file headers and directory entries share: version, flags, method, time, checksum, sizes, name
 * length.
 */
function writeFacts(buffer: Buffer, at: number, facts: EntryFacts): void {
  const { name, flags, method, crc, size, packed } = facts
  buffer.writeUInt16LE(20, at)
  buffer.writeUInt16LE(flags, at + 2)
  buffer.writeUInt16LE(method, at + 4)
  buffer.writeUInt16LE(date, at + 8)
  buffer.writeUInt32LE(crc, at + 10)
  buffer.writeUInt32LE(packed, at + 14)
  buffer.writeUInt32LE(size, at + 18)
  buffer.writeUInt16LE(name.length, at + 22)
}

/** Returns the entries of an archive in memory; throws if it is not an archive. */
export function zipEntries(archive: Buffer): readonly ZipEntry[] {
  const tail = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (tail < 0) throw new Error('This is not an archive')
  const entries: ZipEntry[] = []
  let at = archive.readUInt32LE(tail + 16)
  for (let left = archive.readUInt16LE(tail + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== central)
      throw new Error('The central directory of the archive is damaged')
    const nameLength = archive.readUInt16LE(at + 28)
    const header = archive.readUInt32LE(at + 42)
    const data = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28)
    entries.push({
      name: archive.toString('utf8', at + 46, at + 46 + nameLength),
      method: archive.readUInt16LE(at + 10),
      crc: archive.readUInt32LE(at + 16),
      size: archive.readUInt32LE(at + 24),
      packed: archive.subarray(data, data + archive.readUInt32LE(at + 20)),
    })
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return entries
}

/** Returns the unpacked content of an entry. */
export const unpacked = ({ method, packed }: ZipEntry): Uint8Array =>
  method === 0 ? packed : inflateRawSync(packed)
