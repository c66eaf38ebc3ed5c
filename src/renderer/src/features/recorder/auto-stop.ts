import type { ChannelLevel } from './audio/messages.ts'

/** Stops a recording that was forgotten: a visible countdown after a long silence, which any sound and Keep end. */
export interface AutoStop {
  /** Takes levels over `ms`; answers seconds left of the countdown (0: stop now), null while none runs. */
  take(levels: readonly ChannelLevel[], ms: number): number | null
  /** Sound was missing for so long: a long hole says nothing about the room. */
  gap(ms: number): void
  /** The user wants to go on: no countdown for five minutes. */
  keep(): void
}

/** Seconds between the countdown's appearance and the stop. */
export const countdownSeconds = 60
const keepMs = 5 * 60_000
const longGapMs = 5000
/** Below this loudness (-46 dB) of all channels nobody speaks, whatever the fans do. */
const quietRms = 0.005

/** Builds it for a silence of `minutes`; null never stops. */
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
