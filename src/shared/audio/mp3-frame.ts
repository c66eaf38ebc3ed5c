/** One MPEG layer III frame, from its four header bytes. */
export interface Mp3Frame {
  /** Bytes from this frame's start to the next one's. */
  readonly bytes: number
  readonly samples: 576 | 1152
  readonly sampleRate: number
  readonly channels: 1 | 2
  /** Bytes between the header and the main data: a Xing or Info header lies behind them. */
  readonly sideInfoBytes: 9 | 17 | 32
}

/** kbit/s by index, for MPEG 1 and for MPEG 2 and 2.5. Index 0 is "free format", 15 is not allowed. */
const rates1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const rates2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const sampleRates = [44_100, 48_000, 32_000]

/** The frame whose header starts at `offset`, or null when these four bytes are none: no sync, another layer, free format, reserved values. */
export function frameAt(bytes: Uint8Array, offset: number): Mp3Frame | null {
  const second = bytes[offset + 1]
  const third = bytes[offset + 2]
  const fourth = bytes[offset + 3]
  if (second === undefined || third === undefined || fourth === undefined) return null
  if (bytes[offset] !== 0xff || (second & 0xe0) !== 0xe0) return null
  const version = (second >> 3) & 3
  const isLayer3 = ((second >> 1) & 3) === 1
  if (version === 1 || !isLayer3) return null
  const mpeg1 = version === 3
  const kbps = (mpeg1 ? rates1 : rates2)[third >> 4]
  const baseRate = sampleRates[(third >> 2) & 3]
  if (!kbps || !baseRate || (fourth & 3) === 2) return null
  const sampleRate = mpeg1 ? baseRate : version === 2 ? baseRate / 2 : baseRate / 4
  const padding = (third >> 1) & 1
  const channels = fourth >> 6 === 3 ? 1 : 2
  return {
    bytes: Math.floor(((mpeg1 ? 144_000 : 72_000) * kbps) / sampleRate) + padding,
    samples: mpeg1 ? 1152 : 576,
    sampleRate,
    channels,
    sideInfoBytes: mpeg1 ? (channels === 2 ? 32 : 17) : channels === 2 ? 17 : 9,
  }
}

/** Frames of one stream keep version, layer and sample rate; a header that differs is chance. */
export function sameStream(a: Mp3Frame, b: Mp3Frame): boolean {
  return a.sampleRate === b.sampleRate && a.samples === b.samples
}
