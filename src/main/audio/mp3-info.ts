import { frameAt } from '../../shared/audio/mp3-frame.ts'

/** What stands in the frame in front of an mp3 stream of constant rate. */
export interface Mp3Info {
  /** The head of any frame of the stream, which ours takes over. */
  readonly like: Uint8Array
  /** Frames of the stream and their bytes, without this frame. */
  readonly frames: number
  readonly bytes: number
  /** Samples the encoder put in front of the sound and behind it, below 4096 each. */
  readonly delay: number
  readonly padding: number
}

/** Bytes of what encoders say of themselves behind the counts. */
const encoderBytes = 36

/**
 * A silent frame with an Info header (Xing's, for constant rates) and the encoder's delay and padding as LAME writes them: with
 * it a player knows the length to the sample. Throws when `like` is no frame.
 */
export function infoFrame(info: Mp3Info): Uint8Array<ArrayBuffer> {
  const mark = info.like.slice(0, 4)
  // Without a checksum of the frame, which would have to be right, and without the odd byte that some frames have.
  mark[1] = (mark[1] ?? 0) | 1
  mark[2] = (mark[2] ?? 0) & ~2
  const frame = frameAt(mark, 0)
  if (!frame) throw new Error('The encoder gave no mp3 frame')
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
  // Frames and bytes follow; both count this frame's bytes, but not the frame.
  word(3)
  word(info.frames)
  word(info.bytes + bytes.length)
  const encoder = at
  text('LAME3.100')
  // Revision 0 of the tag, constant rate.
  bytes[at] = 1
  at = encoder + 21
  const both = (info.delay << 12) | info.padding
  bytes.set([both >> 16, (both >> 8) & 0xff, both & 0xff], at)
  view.setUint32(encoder + 28, info.bytes + bytes.length)
  const crc = encoder + encoderBytes - 2
  view.setUint16(crc, crc16(bytes.subarray(0, crc)))
  return bytes
}

/** CRC-16 (polynomial 0x8005, turned round), as LAME checks its tag with. */
function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1
  }
  return crc
}
