import type { WaveHeader } from './wave.ts'

/** Reads one sample at a byte offset, -1 to 1 (or beyond for loud float samples). */
export type ReadSample = (view: DataView, at: number) => number

const readers: Readonly<Record<string, ReadSample>> = {
  pcm1: (view, at) => (view.getUint8(at) - 128) / 128,
  pcm2: (view, at) => view.getInt16(at, true) / 32_768,
  pcm3: (view, at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 8_388_608,
  pcm4: (view, at) => view.getInt32(at, true) / 2_147_483_648,
  float4: (view, at) => view.getFloat32(at, true),
  float8: (view, at) => view.getFloat64(at, true),
  alaw1: (view, at) => fromAlaw[view.getUint8(at)] ?? 0,
  mulaw1: (view, at) => fromMulaw[view.getUint8(at)] ?? 0,
}

/**
 * Returns the reader for samples of a WAV file, by the bytes per sample: samples with fewer bits (20 in 3 bytes) are
 * aligned to the top. Null for encodings or widths other than PCM with 1 to 4 bytes, float with 4 or 8, A-law and
 * mu-law.
 */
export function waveSampleReader(
  encoding: WaveHeader['encoding'],
  bytes: number,
): ReadSample | null {
  return readers[`${encoding}${bytes}`] ?? null
}

/**
 * ITU-T G.711: 13 bits as a sign, three exponent bits and four mantissa bits, with every other bit inverted.
 */
const fromAlaw = Float32Array.from({ length: 256 }, (_, code) => {
  const value = code ^ 0x55
  const exponent = (value >> 4) & 7
  const mantissa = ((value & 15) << 4) + 8
  const size = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
  return (value & 0x80 ? size : -size) / 32_768
})

/** ITU-T G.711: 14 bits with a bias, all bits inverted. */
const fromMulaw = Float32Array.from({ length: 256 }, (_, code) => {
  const value = ~code & 0xff
  const size = ((((value & 15) << 3) + 0x84) << ((value >> 4) & 7)) - 0x84
  return (value & 0x80 ? -size : size) / 32_768
})
