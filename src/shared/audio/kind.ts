import { textOf } from './byte-source.ts'
import { frameAt } from './mp3-frame.ts'

/**
 * File type by its first bytes. The provider accepts `wav` and `mp3`; the others are named in the error message.
 */
export type FileKind =
  | 'wav'
  | 'mp3'
  | 'm4a'
  | 'mp4'
  | 'aac'
  | 'ogg'
  | 'flac'
  | 'webm'
  | 'avi'
  | 'aiff'
  | 'amr'
  | 'wma'
  | 'caf'
  | 'au'
  | 'midi'
  | 'pdf'
  | 'png'
  | 'jpg'
  | 'gif'
  | 'webp'
  | 'bmp'
  | 'tiff'
  | 'avif'
  | 'heic'
  | 'zip'
  | 'html'
  | 'json'
  | 'unknown'

const starts: readonly (readonly [string, FileKind])[] = [
  ['OggS', 'ogg'],
  ['fLaC', 'flac'],
  ['\x1aE\xdf\xa3', 'webm'],
  ['#!AMR', 'amr'],
  ['0&\xb2u\x8ef\xcf\x11', 'wma'],
  ['caff', 'caf'],
  ['.snd', 'au'],
  ['MThd', 'midi'],
  ['ADIF', 'aac'],
  ['%PDF', 'pdf'],
  ['\x89PNG', 'png'],
  ['\xff\xd8\xff', 'jpg'],
  ['GIF8', 'gif'],
  ['II*\0', 'tiff'],
  ['MM\0*', 'tiff'],
  ['PK\x03\x04', 'zip'],
]

/** Detects the type of a file from its first 64 bytes (fewer if it is shorter). */
export function kindOf(head: Uint8Array, size: number): FileKind {
  const text = textOf(head)
  const form = text.slice(8, 12)
  if (/^(RIFF|RF64|BW64|RIFX)/.test(text)) {
    if (form === 'WAVE' && !text.startsWith('RIFX')) return 'wav'
    if (form === 'AVI ') return 'avi'
    if (form === 'WEBP') return 'webp'
    // Truncated inside its own header: no other type begins like this.
    if (size < 12) return 'wav'
  }
  if (text.startsWith('FORM') && /^AIF[FC]$/.test(form)) return 'aiff'
  if (text.slice(4, 8) === 'ftyp') return brand(form)
  for (const [start, kind] of starts) if (text.startsWith(start)) return kind
  if (text.startsWith('ID3')) return 'mp3'
  if (isAdts(head)) return 'aac'
  if (frameAt(head, 0) !== null || isFreeFormat(head)) return 'mp3'
  // Many texts begin with these two letters, so the size in the bitmap header must match the file size.
  if (text.startsWith('BM') && size > 26 && sizeInBitmap(head) === size) return 'bmp'
  if (/^\s*<(!doctype|html|\?xml)/i.test(text)) return 'html'
  if (/^\s*[{[]\s*["{[\]}]/.test(text)) return 'json'
  return 'unknown'
}

/** Returns the type of an ISO container by its first brand. */
function brand(name: string): FileKind {
  if (/^(M4A|M4B|F4A)/.test(name)) return 'm4a'
  if (/^avi[fs]/.test(name)) return 'avif'
  return /^(hei[cxsm]|hev[cx]|mif1|msf1)/.test(name) ? 'heic' : 'mp4'
}

const sizeInBitmap = (head: Uint8Array): number =>
  new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(2, true)

/** Detects an AAC stream (ADTS): an MPEG sync word whose layer bits are zero. */
function isAdts(head: Uint8Array): boolean {
  const [first = 0, second = 0] = head
  return first === 0xff && (second & 0xf6) === 0xf0
}

/**
 * Detects a layer III frame without a bit rate; treated as MP3, so that the message reports a damaged one.
 */
function isFreeFormat(head: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0xff] = head
  const layer3 = first === 0xff && (second & 0xe6) === 0xe2 && ((second >> 3) & 3) !== 1
  return layer3 && third >> 4 === 0 && ((third >> 2) & 3) !== 3
}
