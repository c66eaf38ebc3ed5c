import type { ChannelLevel } from './audio/messages.ts'

/** Stops a forgotten recording: a visible countdown after a long silence, canceled by any sound or by Keep. */
export interface AutoStop {
  /** Adds levels over `ms`; returns the seconds left of the countdown (0: stop now), null while none runs. */
  take(levels: readonly ChannelLevel[], ms: number): number | null
  /** Handles missing audio: a long gap says nothing about the room. */
  gap(ms: number): void
  /** Called when the user continues: no countdown for five minutes. */
  keep(): void
}

/** Seconds between the countdown's appearance and the stop. */
export const countdownSeconds = 60
const keepMs = 5 * 60_000
const longGapMs = 5000
/** Loudness (-46 dB) below which no one speaks in any channel, despite fan noise. */
const quietRms = 0.005

/** Creates it for a silence of `minutes`; null never stops. */
export function createAutoStop(minutes: number | null): AutoStop {
  let quietMs = 0
  let suppressedMs = 0
  return {
    take(levels, ms) {
      if (minutes === null) return null
      suppressedMs = Math.max(0, suppressedMs - ms)
      if (levels.some(({ rms }) => rms >= quietRms)) quietMs = 0
      else quietMs += ms
      const over = quietMs - minutes * 60_000
      if (over < 0 || suppressedMs > 0) return null
      return Math.max(0, Math.ceil(countdownSeconds - over / 1000))
    },
    gap(ms) {
      if (ms > longGapMs) quietMs = 0
    },
    keep() {
      quietMs = 0
      suppressedMs = keepMs
    },
  }
}
