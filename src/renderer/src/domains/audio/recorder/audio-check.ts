import type { ChannelLevel } from './audio/messages.ts'

/** Result of the check of a channel. `quiet`: alive, but no speech or a low level. */
export type CheckVerdict = 'ok' | 'quiet' | 'nothing'

/** Measures for three seconds and reports which channels carry audio. */
export interface AudioCheck {
  /** Adds levels over `ms`; returns the results by channel once there is enough data. */
  take(levels: readonly ChannelLevel[], ms: number): readonly CheckVerdict[] | null
  /** 0 to 1. */
  readonly progress: number
}

const checkMs = 3000
/** Peak (-34 dB) from which audio is intelligible. */
const audioPeak = 0.02

/** Creates a check for this many channels. */
export function createAudioCheck(channelCount: number): AudioCheck {
  const peaks = Array.from({ length: channelCount }, () => 0)
  let elapsedMs = 0
  return {
    take(levels, ms) {
      elapsedMs += ms
      for (const [channel, { peak }] of levels.entries())
        peaks[channel] = Math.max(peaks[channel] ?? 0, peak)
      if (elapsedMs < checkMs) return null
      return peaks.map((peak) => (peak >= audioPeak ? 'ok' : peak > 0 ? 'quiet' : 'nothing'))
    },
    get progress() {
      return Math.min(1, elapsedMs / checkMs)
    },
  }
}
