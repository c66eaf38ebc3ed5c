import { ArchiveRefused } from './archive-errors.ts'

/**
 * The only layout of Lectern archives: the PKWARE format with 64-bit sizes throughout, every file stored uncompressed, headers of
 * a fixed form, one after the other without gaps. Any program can read it. Because there is only one valid form, a reader can
 * check every byte against the expected one: nothing overlaps, nothing is hidden, nothing expands.
 */
export interface ZipItem {
  readonly name: string
  readonly bytes: number
  readonly crc: number
  /** Offset of its header. */
  readonly at: number
}

const localMark = 0x04034b50
const centralMark = 0x02014b50
const endMark = 0x06054b50
const end64Mark = 0x06064b50
const locatorMark = 0x07064b50
const full32 = 0xffff_ffff
const full16 = 0xffff
/** ZIP version needed for 64-bit sizes. */
const version = 45
/** Created on Unix, so that the mode is a Unix mode. */
const versionMadeBy = (3 << 8) | version
const utf8 = 0x0800
/** 1 January 1980: archives of the same content are identical. */
const date = 0x0021
/** Regular file, accessible to its owner only. */
const mode = (0o100600 << 16) >>> 0
const encrypted = 0x0001
const kindMask = 0o170000
const plainFile = 0o100000

const localExtra = 20
const centralExtra = 28
/** Number of bytes of the three records that end an archive. */
export const tailBytes = 56 + 20 + 22

/** Returns the number of bytes of a file's header. */
export const headerBytes = (name: Buffer): number => 30 + name.length + localExtra

export function localHeader({ name, bytes, crc }: Omit<ZipItem, 'at'>): Buffer {
  const text = Buffer.from(name, 'utf8')
  const header = Buffer.alloc(headerBytes(text))
  header.writeUInt32LE(localMark, 0)
  shared(header, 4, crc, text.length, localExtra)
  text.copy(header, 30)
  const extra = 30 + text.length
  header.writeUInt16LE(1, extra)
  header.writeUInt16LE(localExtra - 4, extra + 2)
  header.writeBigUInt64LE(BigInt(bytes), extra + 4)
  header.writeBigUInt64LE(BigInt(bytes), extra + 12)
  return header
}

/** Returns the name in a header of the form that {@link localHeader} writes; null for anything else. */
export function readLocalName(header: Buffer): string | null {
  const length = header.length < 30 ? 0 : header.readUInt16LE(26)
  if (length === 0 || header.length < 30 + length) return null
  const name = header.subarray(30, 30 + length).toString('utf8')
  const ours = localHeader({ name, bytes: 0, crc: 0 })
  // Everything except the checksum, which both headers have at this position.
  const isSame = (from: number, to: number): boolean =>
    header.subarray(from, to).equals(ours.subarray(from, to))
  return isSame(0, 14) && isSame(18, 30 + length) ? name : null
}

/** Builds the directory entry of a file. */
export function centralLine({ name, bytes, crc, at }: ZipItem): Buffer {
  const text = Buffer.from(name, 'utf8')
  const line = Buffer.alloc(46 + text.length + centralExtra)
  line.writeUInt32LE(centralMark, 0)
  line.writeUInt16LE(versionMadeBy, 4)
  shared(line, 6, crc, text.length, centralExtra)
  line.writeUInt32LE(mode, 38)
  line.writeUInt32LE(full32, 42)
  text.copy(line, 46)
  const extra = 46 + text.length
  line.writeUInt16LE(1, extra)
  line.writeUInt16LE(centralExtra - 4, extra + 2)
  line.writeBigUInt64LE(BigInt(bytes), extra + 4)
  line.writeBigUInt64LE(BigInt(bytes), extra + 12)
  line.writeBigUInt64LE(BigInt(at), extra + 20)
  return line
}

/** Writes the fields that both headers share, starting with the required version. */
function shared(into: Buffer, at: number, crc: number, name: number, extra: number): void {
  into.writeUInt16LE(version, at)
  into.writeUInt16LE(utf8, at + 2)
  into.writeUInt16LE(0, at + 4)
  into.writeUInt16LE(0, at + 6)
  into.writeUInt16LE(date, at + 8)
  into.writeUInt32LE(crc, at + 10)
  into.writeUInt32LE(full32, at + 14)
  into.writeUInt32LE(full32, at + 18)
  into.writeUInt16LE(name, at + 22)
  into.writeUInt16LE(extra, at + 24)
}

/** Builds the records that end an archive of `entries` files with a directory of `length` bytes at `at`. */
export function tail(entries: number, length: number, at: number): Buffer {
  const out = Buffer.alloc(tailBytes)
  out.writeUInt32LE(end64Mark, 0)
  out.writeBigUInt64LE(44n, 4)
  out.writeUInt16LE(versionMadeBy, 12)
  out.writeUInt16LE(version, 14)
  out.writeBigUInt64LE(BigInt(entries), 24)
  out.writeBigUInt64LE(BigInt(entries), 32)
  out.writeBigUInt64LE(BigInt(length), 40)
  out.writeBigUInt64LE(BigInt(at), 48)
  out.writeUInt32LE(locatorMark, 56)
  out.writeBigUInt64LE(BigInt(at + length), 64)
  out.writeUInt32LE(1, 72)
  out.writeUInt32LE(endMark, 76)
  out.writeUInt16LE(full16, 84)
  out.writeUInt16LE(full16, 86)
  out.writeUInt32LE(full32, 88)
  out.writeUInt32LE(full32, 92)
  return out
}

/** Reads the end of an archive of `size` bytes. Rejects anything that is not exactly what {@link tail} writes. */
export function readTail(
  bytes: Buffer,
  size: number,
): { readonly entries: number; readonly length: number; readonly at: number } {
  // Archives of other programs end differently; a truncated Lectern archive has no end record at all.
  if (bytes.readUInt32LE(76) !== endMark) throw new ArchiveRefused('truncated')
  if (bytes.readUInt32LE(0) !== end64Mark) throw new ArchiveRefused('packed')
  const entries = safe(bytes.readBigUInt64LE(32))
  const length = safe(bytes.readBigUInt64LE(40))
  const at = safe(bytes.readBigUInt64LE(48))
  if (at + length + tailBytes !== size) throw new ArchiveRefused('overlap')
  if (!tail(entries, length, at).equals(bytes)) throw new ArchiveRefused('damaged')
  return { entries, length, at }
}

/** Reads an entry of the directory; also returns where the next one begins. */
export function readCentralLine(
  directory: Buffer,
  at: number,
): { readonly item: ZipItem; readonly next: number } {
  if (at + 46 > directory.length || directory.readUInt32LE(at) !== centralMark)
    throw new ArchiveRefused('damaged')
  const nameEnd = at + 46 + directory.readUInt16LE(at + 28)
  const next = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  if (next > directory.length) throw new ArchiveRefused('damaged')
  const name = directory.toString('utf8', at + 46, nameEnd)
  const header = directory.subarray(at, next)
  const flags = header.readUInt16LE(8)
  if ((flags & encrypted) !== 0) throw new ArchiveRefused('encrypted', name)
  // Created on Unix: the upper half is the mode, which shows whether it is a link, a folder or a device.
  const kind = (header.readUInt32LE(38) >>> 16) & kindMask
  if (kind !== 0 && kind !== plainFile) throw new ArchiveRefused('link', name)
  const extra = nameEnd - at
  if (header.length - extra !== centralExtra || header.readUInt16LE(10) !== 0)
    throw new ArchiveRefused('packed', name)
  const unpacked = safe(header.readBigUInt64LE(extra + 4), name)
  const packed = safe(header.readBigUInt64LE(extra + 12), name)
  if (unpacked !== packed) throw new ArchiveRefused('bomb', name)
  const item = {
    name,
    bytes: unpacked,
    crc: header.readUInt32LE(16),
    at: safe(header.readBigUInt64LE(extra + 20), name),
  }
  if (!centralLine(item).equals(header)) throw new ArchiveRefused('damaged', name)
  return { item, next }
}

function safe(value: bigint, name = ''): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new ArchiveRefused('bomb', name)
  return Number(value)
}
