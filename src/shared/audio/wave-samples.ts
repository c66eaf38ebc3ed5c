import type { WaveHeader } from './header.ts'

/** Reads one sample at a byte offset, -1 to 1 (beyond that for loud float samples). */
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
 * How samples of a wav file are read, by the bytes each of them takes: samples of fewer bits (20 in 3 bytes) fill their bytes
 * from the top. Null for an encoding or a width that is none of PCM 1 to 4 bytes, float 4 and 8, A-law and mu-law.
 */
export function waveSampleReader(
  encoding: WaveHeader['encoding'],
  bytes: number,
): ReadSample | null {
  return readers[`${encoding}${bytes}`] ?? null
}

/** ITU-T G.711: 13 bits in a sign, three bits of exponent and four of mantissa, with every other bit turned over. */
const fromAlaw = Float32Array.from({ length: 256 }, (_, code) => {
  const value = code ^ 0x55
  const exponent = (value >> 4) & 7
  const mantissa = ((value & 15) << 4) + 8
  const size = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1)
  return (value & 0x80 ? size : -size) / 32_768
})

/** ITU-T G.711: 14 bits with a bias, all bits turned over. */
const fromMulaw = Float32Array.from({ length: 256 }, (_, code) => {
  const value = ~code & 0xff
  const size = ((((value & 15) << 3) + 0x84) << ((value >> 4) & 7)) - 0x84
  return (value & 0x80 ? -size : size) / 32_768
})
