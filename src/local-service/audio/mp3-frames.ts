import { SoundError } from './sound.ts'

/** Kilobits per second by the header's index, for layer III of MPEG 1 and of MPEG 2 and 2.5. */
const bitrates = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const

const rates: Readonly<Record<number, readonly number[]>> = {
  3: [44_100, 48_000, 32_000],
  2: [22_050, 24_000, 16_000],
  0: [11_025, 12_000, 8_000],
}

/** One frame of layer III, as its four header bytes say. */
interface Frame {
  readonly bytes: number
  readonly samples: number
  readonly rate: number
  /** Where a Xing or Info tag lies within a frame that carries no sound. */
  readonly tagAt: number
}

function readFrame(bytes: Uint8Array, at: number): Frame | undefined {
  const [sync = 0, kind = 0, numbers = 0, mode = 0] = bytes.subarray(at, at + 4)
  if (sync !== 0xff || (kind & 0xe0) !== 0xe0) return undefined
  const version = (kind >> 3) & 3
  const layer3 = ((kind >> 1) & 3) === 1
  const rate = rates[version]?.[(numbers >> 2) & 3]
  const first = version === 3
  const kilobits = bitrates[first ? 1 : 2][numbers >> 4]
  if (!layer3 || !rate || !kilobits) return undefined
  const samples = first ? 1152 : 576
  const mono = mode >> 6 === 3
  const side = first ? (mono ? 17 : 32) : mono ? 9 : 17
  const length = Math.floor((samples * kilobits * 125) / rate) + ((numbers >> 1) & 1)
  return { bytes: length, samples, rate, tagAt: 4 + side }
}

/** Bytes of an ID3v2 tag at the front, with header and footer; 0 without one. */
function id3Length(bytes: Uint8Array): number {
  const [i = 0, d = 0, three = 0, , , flags = 0, a = 0, b = 0, c = 0, e = 0] = bytes.subarray(0, 10)
  if (i !== 0x49 || d !== 0x44 || three !== 0x33) return 0
  const size = ((a & 127) << 21) | ((b & 127) << 14) | ((c & 127) << 7) | (e & 127)
  return 10 + size + (flags & 0x10 ? 10 : 0)
}

/** The first place from `at` on where two frames follow each other: one alone may be chance. -1 when there is none. */
function findFrames(bytes: Uint8Array, at: number, reach: number): number {
  for (let i = at; i < Math.min(bytes.length - 4, at + reach); i++) {
    const frame = readFrame(bytes, i)
    if (!frame) continue
    const next = i + frame.bytes
    if (next >= bytes.length - 4 || readFrame(bytes, next)?.rate === frame.rate) return i
  }
  return -1
}

/** Bytes of junk before the first frame that still make an mp3 file of it. */
const junkBefore = 64 * 1024

/** True when frames of MPEG layer III begin near the front (after an ID3 tag), whatever the file is called. */
export function isMp3(bytes: Uint8Array): boolean {
  return findFrames(bytes, id3Length(bytes), junkBefore) >= 0
}

const tagAt = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + 4))

/** Length in seconds by walking the frames, exact for any bit rate; the frame of a Xing or Info tag has no sound. */
export function mp3Seconds(bytes: Uint8Array): number {
  let at = findFrames(bytes, id3Length(bytes), junkBefore)
  if (at < 0) throw new SoundError('this is not an mp3 file')
  let seconds = 0
  for (let first = true; at >= 0 && at < bytes.length - 4; first = false) {
    const frame = readFrame(bytes, at)
    if (!frame) {
      at = findFrames(bytes, at + 1, bytes.length)
      continue
    }
    const tag = first ? tagAt(bytes, at + frame.tagAt) : ''
    if (tag !== 'Xing' && tag !== 'Info') seconds += frame.samples / frame.rate
    at += frame.bytes
  }
  return seconds
}
