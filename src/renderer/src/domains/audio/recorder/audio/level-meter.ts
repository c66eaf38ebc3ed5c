import type { ChannelLevel } from './messages.ts'

/** Measures channels over ranges of samples, including every sample. */
interface LevelMeter {
  /** Adds `frames` frames; an absent channel is exactly silent. */
  take(channels: readonly (Float32Array | undefined)[], frames: number): void
  /** Number of frames since the last read. */
  readonly frames: number
  /** Returns the levels since the last read and resets them. */
  read(): readonly ChannelLevel[]
}

export function createLevelMeter(channelCount: number): LevelMeter {
  const peaks = new Float64Array(channelCount)
  const squares = new Float64Array(channelCount)
  let counted = 0
  return {
    take(channels, frames) {
      for (let channel = 0; channel < channelCount; channel++) {
        const samples = channels[channel]
        if (!samples) continue
        let peak = peaks[channel] ?? 0
        let sum = squares[channel] ?? 0
        for (let at = 0; at < frames; at++) {
          const sample = samples[at] ?? 0
          const size = Math.abs(sample)
          if (size > peak) peak = size
          sum += sample * sample
        }
        peaks[channel] = peak
        squares[channel] = sum
      }
      counted += frames
    },
    get frames() {
      return counted
    },
    read() {
      const levels = Array.from(peaks, (peak, channel) => ({
        peak: Math.min(1, peak),
        rms: counted === 0 ? 0 : Math.min(1, Math.sqrt((squares[channel] ?? 0) / counted)),
        zero: peak === 0,
      }))
      peaks.fill(0)
      squares.fill(0)
      counted = 0
      return levels
    },
  }
}

/** Returns the position of a level on a meter: 0 at -60 dB and below, 1 at full scale. */
export function meterPosition(level: number): number {
  if (level <= 0.001) return 0
  return Math.min(1, 1 + (20 * Math.log10(level)) / 60)
}
