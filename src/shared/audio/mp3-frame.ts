/** MPEG audio frame, parsed from its four header bytes. */
export interface MpegFrame {
  readonly layer: 1 | 2 | 3
  /** Bytes from the start of this frame to the start of the next. */
  readonly bytes: number
  readonly samples: 384 | 576 | 1152
  readonly sampleRate: number
  readonly channels: 1 | 2
  /** Bytes between the header and the main data of layer III; a Xing or Info header follows them. */
  readonly sideInfoBytes: 9 | 17 | 32
}

/** Layer III frame, the only layer in an MP3 file. */
export type Mp3Frame = MpegFrame & { readonly layer: 3 }

/**
 * Bit rates in kbit/s by index, for MPEG 1 and for MPEG 2 and 2.5, by layer. Index 0 is "free format", 15 is not
 * allowed.
 */
const rates1 = {
  1: [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  2: [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  3: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
} as const
const lowRates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160] as const
const rates2 = {
  1: [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  2: lowRates,
  3: lowRates,
} as const
const sampleRates = [44_100, 48_000, 32_000]
const layers = [null, 3, 2, 1] as const

/**
 * Returns the frame of any layer whose header starts at `offset`, or null if these four bytes are not one: no sync, free
 * format, reserved values.
 */
export function anyFrameAt(bytes: Uint8Array, offset: number): MpegFrame | null {
  const second = bytes[offset + 1]
  const third = bytes[offset + 2]
  const fourth = bytes[offset + 3]
  if (second === undefined || third === undefined || fourth === undefined) return null
  if (bytes[offset] !== 0xff || (second & 0xe0) !== 0xe0) return null
  const version = (second >> 3) & 3
  const layer = layers[(second >> 1) & 3]
  if (version === 1 || !layer) return null
  const mpeg1 = version === 3
  const kbps = (mpeg1 ? rates1 : rates2)[layer][third >> 4]
  const baseRate = sampleRates[(third >> 2) & 3]
  if (!kbps || !baseRate || (fourth & 3) === 2) return null
  const sampleRate = mpeg1 ? baseRate : version === 2 ? baseRate / 2 : baseRate / 4
  const padding = (third >> 1) & 1
  const channels = fourth >> 6 === 3 ? 1 : 2
  const samples = layer === 1 ? 384 : layer === 2 || mpeg1 ? 1152 : 576
  // Layer I counts in slots of four bytes.
  const slot = layer === 1 ? 4 : 1
  return {
    layer,
    bytes: (Math.floor((samples * kbps * 125) / sampleRate / slot) + padding) * slot,
    samples,
    sampleRate,
    channels,
    sideInfoBytes: mpeg1 ? (channels === 2 ? 32 : 17) : channels === 2 ? 17 : 9,
  }
}

/** Returns the layer III frame whose header starts at `offset`, or null if there is none. */
export function frameAt(bytes: Uint8Array, offset: number): Mp3Frame | null {
  const frame = anyFrameAt(bytes, offset)
  return frame && isLayer3(frame) ? frame : null
}

/** Returns whether a frame belongs to an MP3 file. */
export function isLayer3(frame: MpegFrame): frame is Mp3Frame {
  return frame.layer === 3
}

/** Returns whether two frames can belong to the same stream: same version, layer and sample rate. */
export function sameStream(a: MpegFrame, b: MpegFrame): boolean {
  return a.layer === b.layer && a.sampleRate === b.sampleRate && a.samples === b.samples
}
