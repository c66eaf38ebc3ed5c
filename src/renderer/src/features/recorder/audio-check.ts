import type { ChannelLevel } from './audio/messages.ts'

/** What a channel carried while it was listened to. `quiet`: alive, but nobody spoke or the level is low. */
export type CheckVerdict = 'sound' | 'quiet' | 'nothing'

/** Listens for three seconds and says which channels really carry sound. */
export interface AudioCheck {
  /** Takes levels over `ms`; answers the verdicts by channel once enough was heard. */
  take(levels: readonly ChannelLevel[], ms: number): readonly CheckVerdict[] | null
  /** 0 to 1. */
  readonly progress: number
}

const checkMs = 3000
/** From this peak (-34 dB) on there was sound that can be understood. */
const audioPeak = 0.02

/** Builds a check over so many channels. */
export function createAudioCheck(channelCount: number): AudioCheck {
  const peaks = Array.from({ length: channelCount }, () => 0)
  let elapsedMs = 0
  return {
    take(levels, ms) {
      elapsedMs += ms
      for (const [channel, { peak }] of levels.entries())
        peaks[channel] = Math.max(peaks[channel] ?? 0, peak)
      if (elapsedMs < checkMs) return null
      return peaks.map((peak) => (peak >= audioPeak ? 'sound' : peak > 0 ? 'quiet' : 'nothing'))
    },
    get progress() {
      return Math.min(1, elapsedMs / checkMs)
    },
  }
}
