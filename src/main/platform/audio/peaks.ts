import { peaksPerSecond } from './session-files.ts'
import type { WaveLayout } from '../../../shared/audio/wave-header.ts'

/** Number of bytes of the header of a peaks file. */
export const peaksHeaderBytes = 24

/** Returns the frames per pair. Rates not divisible by 20 get the nearest whole number; the header contains it. */
export const framesPerPair = (sampleRate: number): number =>
  Math.max(1, Math.round(sampleRate / peaksPerSecond))

/** Builds the header of audiowaveform's data format, version 2: 8-bit pairs of several channels. */
export function peaksHeader({ channels, sampleRate }: WaveLayout, pairs: number): Uint8Array {
  const bytes = new Uint8Array(peaksHeaderBytes)
  const view = new DataView(bytes.buffer)
  const eightBit = 1
  const words = [2, eightBit, sampleRate, framesPerPair(sampleRate), pairs, channels]
  for (const [i, word] of words.entries()) view.setInt32(i * 4, word, true)
  return bytes
}

/** Computes pairs of minimum and maximum from samples. */
interface Peaks {
  /** Adds interleaved samples, whole frames. */
  add(samples: Int16Array): void
  addSilence(frames: number): void
  /** Returns the pairs completed since the last call, as bytes of the file. */
  take(): Uint8Array
  /** Returns the pair of the frames that do not fill one yet; empty if there are none. */
  rest(): Uint8Array
}

/** Creates peaks for a number of channels, starting with silence. */
export function createPeaks(channels: number, perPair: number): Peaks {
  const low = new Int16Array(channels)
  const high = new Int16Array(channels)
  let inPair = 0
  let whole: number[] = []

  function putPair(into: number[]): void {
    for (let channel = 0; channel < channels; channel++)
      into.push((low[channel] ?? 0) >> 8, (high[channel] ?? 0) >> 8)
  }

  function advance(frames: number): void {
    inPair += frames
    if (inPair < perPair) return
    putPair(whole)
    inPair = 0
  }

  return {
    add(samples) {
      const frames = samples.length / channels
      let frame = 0
      while (frame < frames) {
        const end = Math.min(frames, frame + perPair - inPair)
        for (let channel = 0; channel < channels; channel++) {
          let min = inPair === 0 ? 32_767 : (low[channel] ?? 0)
          let max = inPair === 0 ? -32_768 : (high[channel] ?? 0)
          for (let i = frame * channels + channel; i < end * channels; i += channels) {
            const value = samples[i] ?? 0
            if (value < min) min = value
            if (value > max) max = value
          }
          low[channel] = min
          high[channel] = max
        }
        advance(end - frame)
        frame = end
      }
    },
    addSilence(frames) {
      let left = frames
      while (left > 0) {
        const count = Math.min(left, perPair - inPair)
        for (let channel = 0; channel < channels; channel++) {
          low[channel] = inPair === 0 ? 0 : Math.min(low[channel] ?? 0, 0)
          high[channel] = inPair === 0 ? 0 : Math.max(high[channel] ?? 0, 0)
        }
        advance(count)
        left -= count
      }
    },
    take() {
      const bytes = new Uint8Array(Int8Array.from(whole).buffer)
      whole = []
      return bytes
    },
    rest() {
      const last: number[] = []
      if (inPair > 0) putPair(last)
      return new Uint8Array(Int8Array.from(last).buffer)
    },
  }
}
