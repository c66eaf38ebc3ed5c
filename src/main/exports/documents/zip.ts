import { crc32, inflateRawSync } from 'node:zlib'
import type { FileWriter } from './file-writer.ts'

/** A file inside an archive as it lies there: `method` 0 is stored, 8 deflated. */
export interface ZipEntry {
  readonly name: string
  readonly method: number
  readonly crc: number
  /** Bytes when unpacked. */
  readonly size: number
  readonly packed: Uint8Array
}

/** Writes an archive entry by entry: only one is in memory at a time. */
export interface ZipWriter {
  /** Copies an entry of another archive as it is packed. */
  copy(entry: ZipEntry): Promise<void>
  /** Stores bytes unpacked: pictures do not get smaller. */
  store(name: string, bytes: Uint8Array): Promise<void>
  /** Writes the directory; nothing can follow. */
  finish(): Promise<void>
}

const local = 0x04034b50
const central = 0x02014b50
const end = 0x06054b50
/** Names are UTF-8. */
const utf8 = 0x0800
/** 1 January 1980, the beginning of the format's time: archives of the same content are the same. */
const date = 0x0021
const largest = 0xffff_ffff

/** Begins an archive (PKWARE's format without its 64-bit extension: at most 65,535 entries and 4 GB, more is an error). */
export function createZip(file: FileWriter): ZipWriter {
  const directory: Buffer[] = []
  const copy = async (entry: ZipEntry): Promise<void> => {
    const name = Buffer.from(entry.name, 'utf8')
    const at = file.size
    if (directory.length >= 0xffff || at + entry.packed.length > largest)
      throw new Error('The archive grows beyond 4 GB or 65,535 files')
    const header = Buffer.alloc(30)
    header.writeUInt32LE(local, 0)
    facts(header, 4, entry, name.length)
    await file.write(header)
    await file.write(name)
    await file.write(entry.packed)
    const line = Buffer.alloc(46)
    line.writeUInt32LE(central, 0)
    line.writeUInt16LE(20, 4)
    facts(line, 6, entry, name.length)
    line.writeUInt32LE(at, 42)
    directory.push(Buffer.concat([line, name]))
  }
  return {
    copy,
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

/** The part that headers of files and lines of the directory share: version, flags, method, time, sum, sizes, length of the name. */
function facts(buffer: Buffer, at: number, entry: ZipEntry, nameLength: number): void {
  buffer.writeUInt16LE(20, at)
  buffer.writeUInt16LE(utf8, at + 2)
  buffer.writeUInt16LE(entry.method, at + 4)
  buffer.writeUInt16LE(date, at + 8)
  buffer.writeUInt32LE(entry.crc, at + 10)
  buffer.writeUInt32LE(entry.packed.length, at + 14)
  buffer.writeUInt32LE(entry.size, at + 18)
  buffer.writeUInt16LE(nameLength, at + 22)
}

/** The entries of an archive in memory; throws for what is no archive. */
export function zipEntries(archive: Buffer): readonly ZipEntry[] {
  const tail = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (tail < 0) throw new Error('This is no archive')
  const entries: ZipEntry[] = []
  let at = archive.readUInt32LE(tail + 16)
  for (let left = archive.readUInt16LE(tail + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== central)
      throw new Error('The directory of the archive is broken')
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

/** What an entry holds, unpacked. */
export const unpacked = ({ method, packed }: ZipEntry): Uint8Array =>
  method === 0 ? packed : inflateRawSync(packed)
