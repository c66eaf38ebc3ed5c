import { frameAt } from '../../../shared/audio/mp3-frame.ts'

/** Content of the frame before a constant bit rate MP3 stream. */
interface Mp3Info {
  /** Header of any frame of the stream, which is copied. */
  readonly like: Uint8Array
  /** Frames of the stream and their bytes, without this frame. */
  readonly frames: number
  readonly bytes: number
  /** Samples that the encoder added before and after the audio, below 4096 each. */
  readonly delay: number
  readonly padding: number
}

/** Bytes of the encoder information after the counts. */
const encoderBytes = 36

/**
 * Builds a silent frame with an Info header (Xing's, for constant rates) and the encoder's delay and padding as LAME writes them:
 * with it a player knows the length to the sample. Throws if `like` is not a frame.
 */
export function infoFrame(info: Mp3Info): Uint8Array<ArrayBuffer> {
  const mark = info.like.slice(0, 4)
  // Without the frame's checksum, which would have to be correct, and without the padding byte that some frames have.
  mark[1] = (mark[1] ?? 0) | 1
  mark[2] = (mark[2] ?? 0) & ~2
  const frame = frameAt(mark, 0)
  if (!frame) throw new Error('The encoder returned no MP3 frame')
  const bytes = new Uint8Array(frame.bytes)
  const view = new DataView(bytes.buffer)
  bytes.set(mark)
  let at = 4 + frame.sideInfoBytes
  const text = (letters: string): void => {
    for (const letter of letters) bytes[at++] = letter.charCodeAt(0)
  }
  const word = (value: number): void => {
    view.setUint32(at, value)
    at += 4
  }
  text('Info')
  // Frame and byte counts follow; the bytes include this frame, the frames do not.
  word(3)
  word(info.frames)
  word(info.bytes + bytes.length)
  const encoder = at
  text('LAME3.100')
  // Revision 0 of the tag, constant bit rate.
  bytes[at] = 1
  at = encoder + 21
  const both = (info.delay << 12) | info.padding
  bytes.set([both >> 16, (both >> 8) & 0xff, both & 0xff], at)
  view.setUint32(encoder + 28, info.bytes + bytes.length)
  const crc = encoder + encoderBytes - 2
  view.setUint16(crc, crc16(bytes.subarray(0, crc)))
  return bytes
}

/** Returns the CRC-16 (polynomial 0x8005, reflected) with which LAME checks its tag. */
function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1
  }
  return crc
}
