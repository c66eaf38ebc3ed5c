import { SoundError } from './sound.ts'
import type { Sound } from './sound.ts'

type Encoding = 'pcm' | 'float'

/** What the header of a wav file says, and where its samples lie (byte offsets). */
export interface WavLayout {
  readonly encoding: Encoding
  readonly bits: number
  readonly channels: number
  readonly rate: number
  readonly start: number
  readonly frames: number
  /** Length in seconds. */
  readonly seconds: number
}

const readers: Readonly<Record<string, (view: DataView, at: number) => number>> = {
  pcm8: (view, at) => (view.getUint8(at) - 128) / 128,
  pcm16: (view, at) => view.getInt16(at, true) / 32_768,
  pcm24: (view, at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 8_388_608,
  pcm32: (view, at) => view.getInt32(at, true) / 2_147_483_648,
  float32: (view, at) => view.getFloat32(at, true),
  float64: (view, at) => view.getFloat64(at, true),
}

/** Tags of the `fmt ` chunk that carry uncompressed samples; 0xfffe names the tag in its extension. */
const encodings: Readonly<Record<number, Encoding>> = { 1: 'pcm', 3: 'float' }
const extensible = 0xfffe

const tag = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + 4))

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** True when the bytes begin as a wav file does, whatever the file is called. */
export function isWav(bytes: Uint8Array): boolean {
  return bytes.length >= 12 && tag(bytes, 0) === 'RIFF' && tag(bytes, 8) === 'WAVE'
}

function readFormat(
  view: DataView,
  at: number,
  size: number,
): Omit<WavLayout, 'start' | 'frames' | 'seconds'> {
  if (size < 16) throw new SoundError('the wav file has no whole format')
  const named = view.getUint16(at, true)
  const code = named === extensible && size >= 26 ? view.getUint16(at + 24, true) : named
  const encoding = encodings[code]
  const channels = view.getUint16(at + 2, true)
  const rate = view.getUint32(at + 4, true)
  const bits = view.getUint16(at + 14, true)
  if (!encoding) throw new SoundError(`the wav file is compressed (format ${code})`)
  if (!readers[`${encoding}${bits}`])
    throw new SoundError(`wav samples of ${bits} bits are not known`)
  if (channels < 1) throw new SoundError('the wav file has no channels')
  if (rate < 1000 || rate > 768_000)
    throw new SoundError(`a sample rate of ${rate} Hz is not possible`)
  return { encoding, bits, channels, rate }
}

/** Reads the chunks of a wav file (PCM 8 to 32 bits, float 32 and 64, extensible). Throws SoundError. */
export function readWavLayout(bytes: Uint8Array): WavLayout {
  if (!isWav(bytes)) throw new SoundError('this is not a wav file')
  const view = viewOf(bytes)
  let format: ReturnType<typeof readFormat> | undefined
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = tag(bytes, at)
    const size = view.getUint32(at + 4, true)
    const start = at + 8
    const present = Math.min(size, bytes.length - start)
    if (name === 'fmt ') format = readFormat(view, start, present)
    if (name === 'data') {
      if (!format) throw new SoundError('the wav file has samples before their format')
      // A recorder that was stopped hard leaves 0 or 0xffffffff as the size: what is there is what counts.
      const bytesOfSound = size === 0 ? bytes.length - start : present
      const frames = Math.floor(bytesOfSound / ((format.bits / 8) * format.channels))
      return { ...format, start, frames, seconds: frames / format.rate }
    }
    at = start + size + (size % 2)
  }
  throw new SoundError('the wav file has no samples')
}

/** Decodes all samples of a wav file. Throws SoundError. */
export function decodeWav(bytes: Uint8Array): Sound {
  const layout = readWavLayout(bytes)
  const read = readers[`${layout.encoding}${layout.bits}`]
  if (!read) throw new SoundError('the wav file is of an unknown kind')
  const view = viewOf(bytes)
  const width = layout.bits / 8
  const channels = Array.from({ length: layout.channels }, (_, channel) => {
    const samples = new Float32Array(layout.frames)
    for (let frame = 0; frame < layout.frames; frame++) {
      const value = read(view, layout.start + (frame * layout.channels + channel) * width)
      samples[frame] = Number.isFinite(value) ? Math.max(-1, Math.min(1, value)) : 0
    }
    return samples
  })
  return { rate: layout.rate, channels }
}
