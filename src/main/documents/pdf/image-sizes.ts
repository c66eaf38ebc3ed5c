import type { FileHandle } from 'node:fs/promises'
import type { PageSize } from '../../../shared/model/document.ts'

/**
 * Bytes at the start of a file within which these formats contain their size; what cameras write before it is shorter.
 */
const headBytes = 256 * 1024

/**
 * Reads the size of an image in pixels from its header alone, before anything is unpacked: the largest in the header.
 */
export async function otherSize(
  handle: FileHandle,
  kind: 'webp' | 'gif' | 'bmp' | 'avif' | 'heic',
): Promise<PageSize | null> {
  const bytes = Buffer.alloc(headBytes)
  const { bytesRead } = await handle.read(bytes, 0, headBytes, 0)
  const head = bytes.subarray(0, bytesRead)
  // A read beyond the end of a truncated file: it has no size then.
  try {
    switch (kind) {
      case 'webp':
        return webpSize(head)
      case 'gif':
        return gifSize(head)
      case 'bmp':
        return bmpSize(head)
      case 'avif':
      case 'heic':
        return containerSize(head)
    }
  } catch {
    return null
  }
}

function webpSize(head: Buffer): PageSize | null {
  switch (head.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
    case 'VP8L': {
      const bits = head.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
    default:
      return null
  }
}

/** The first frame of a GIF can be larger than its screen; decoders then enlarge the screen. */
function gifSize(head: Buffer): PageSize | null {
  const screen = { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
  const flags = head.readUInt8(10)
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  while (head.readUInt8(at) === 0x21) {
    at += 2
    while (head.readUInt8(at) !== 0) at += head.readUInt8(at) + 1
    at += 1
  }
  if (head.readUInt8(at) !== 0x2c) return null
  const right = head.readUInt16LE(at + 1) + head.readUInt16LE(at + 5)
  const bottom = head.readUInt16LE(at + 3) + head.readUInt16LE(at + 7)
  return { width: Math.max(screen.width, right), height: Math.max(screen.height, bottom) }
}

function bmpSize(head: Buffer): PageSize {
  const old = head.readUInt32LE(14) === 12
  if (old) return { width: head.readUInt16LE(18), height: head.readUInt16LE(20) }
  // A negative height means that rows are stored from top to bottom.
  return { width: Math.abs(head.readInt32LE(18)), height: Math.abs(head.readInt32LE(22)) }
}

/**
 * Returns the largest of the sizes (`ispe`) in an ISO container: of the image, its tiles and its thumbnails.
 */
function containerSize(head: Buffer): PageSize | null {
  let largest: PageSize | null = null
  for (let at = head.indexOf('ispe'); at >= 0; at = head.indexOf('ispe', at + 4)) {
    const size = { width: head.readUInt32BE(at + 8), height: head.readUInt32BE(at + 12) }
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size
  }
  return largest
}
