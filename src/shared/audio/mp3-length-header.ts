import { textOf, viewOf } from './byte-source.ts'
import type { Mp3Frame } from './mp3-frame.ts'

/** Information about the whole stream in the first frame of many MP3 files. */
export interface LengthHeader {
  readonly frames: number
  /** Bytes of the stream, including this frame; null if not specified. */
  readonly bytes: number | null
  /** Silent samples the encoder added before and after the audio; 0 if not specified. */
  readonly addedSamples: number
  /** Number of these before the audio; a decoder adds {@link decoderDelay} more. */
  readonly delaySamples: number
}

/** Samples every layer III decoder adds to the encoder's delay. */
export const decoderDelay = 529

/**
 * Reads a Xing or Info header (followed by the encoder's delays), or a VBRI header, from the bytes of the first frame.
 */
export function readLengthHeader(frameBytes: Uint8Array, frame: Mp3Frame): LengthHeader | null {
  return xing(frameBytes, 4 + frame.sideInfoBytes) ?? vbri(frameBytes)
}

function xing(bytes: Uint8Array, at: number): LengthHeader | null {
  if (!/^(Xing|Info)$/.test(textOf(bytes, at, at + 4)) || at + 8 > bytes.length) return null
  const view = viewOf(bytes)
  const flags = view.getUint32(at + 4)
  let next = at + 8
  const field = (bit: number, length: number): number | null => {
    if ((flags & bit) === 0 || next + length > bytes.length) return null
    const value = length === 4 ? view.getUint32(next) : 0
    next += length
    return value
  }
  const frames = field(1, 4)
  const size = field(2, 4)
  field(4, 100)
  field(8, 4)
  if (!frames) return null
  const [before, after] = delays(bytes, next)
  return { frames, bytes: size, addedSamples: before + after, delaySamples: before }
}

/**
 * Reads the encoder's delay and padding, 12 bits each, 21 bytes into the tag that LAME and others write after a Xing
 * header.
 */
function delays(bytes: Uint8Array, at: number): readonly [number, number] {
  const encoder = textOf(bytes, at, at + 4)
  if (!/^(LAME|Lavf|Lavc|L3\.9|GOGO)/.test(encoder) || at + 24 > bytes.length) return [0, 0]
  // Three bytes: the one before is masked out.
  const both = viewOf(bytes).getUint32(at + 20) & 0xff_ffff
  const [before, after] = [both >> 12, both & 0xfff]
  // Padding smaller than the decoder's own delay cannot be trimmed; real encoders stay below 4 frames.
  return before + after < 4 * 1152 + decoderDelay ? [before, after] : [0, 0]
}

function vbri(bytes: Uint8Array): LengthHeader | null {
  const at = 36
  if (textOf(bytes, at, at + 4) !== 'VBRI' || at + 18 > bytes.length) return null
  const view = viewOf(bytes)
  const frames = view.getUint32(at + 14)
  return frames
    ? { frames, bytes: view.getUint32(at + 10), addedSamples: 0, delaySamples: 0 }
    : null
}
