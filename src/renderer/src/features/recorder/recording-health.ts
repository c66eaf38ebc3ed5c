import type { ChannelLevel } from './audio/messages.ts'

/** What is wrong with a channel that carries nothing. `zeros`: exactly nothing, as a dead source gives. */
export type Silence = 'zeros' | 'silent'

/** A channel fell silent, or carries sound again; `both`: nobody is heard at all. Each is said once for each episode. */
export type HealthEvent =
  | { readonly type: Silence | 'sound'; readonly channel: number }
  | { readonly type: 'both-silent' }

/** Watches what the channels carry, from every level there is. */
export interface Health {
  take(levels: readonly ChannelLevel[], ms: number): readonly HealthEvent[]
  /** Forgets what was counted, after a pause. */
  reset(): void
}

/** Below this peak (-54 dB) not even a quiet room is heard. */
const nothingPeak = 0.002
/** From this peak (-30 dB) on somebody speaks. */
const speechPeak = 0.03
/** Speech of the other channel that makes one-sided silence worth a word, in ms. */
const otherSpokeMs = 3000

/** Silence of a channel before it is said, in ms. */
export const silenceMs = { zeros: 5000, silent: 30_000, both: 90_000 } as const

interface Watched {
  zeroMs: number
  silentMs: number
  /** How long another channel spoke meanwhile. */
  otherMs: number
  reported: Silence | null
}

/** Builds a watch over so many channels. */
export function createHealth(channelCount: number): Health {
  const fresh = (): Watched[] =>
    Array.from({ length: channelCount }, () => ({
      zeroMs: 0,
      silentMs: 0,
      otherMs: 0,
      reported: null,
    }))
  let watched = fresh()
  let reportedBoth = false

  const inspect = (one: Watched, level: ChannelLevel, otherSpeaks: boolean, ms: number) => {
    one.zeroMs = level.zero ? one.zeroMs + ms : 0
    if (level.peak >= nothingPeak) {
      const back = one.reported !== null
      Object.assign(one, { silentMs: 0, otherMs: 0, reported: null })
      return back ? 'sound' : null
    }
    one.silentMs += ms
    if (otherSpeaks) one.otherMs += ms
    if (one.reported !== 'zeros' && one.zeroMs >= silenceMs.zeros) return (one.reported = 'zeros')
    const oneSided = one.silentMs >= silenceMs.silent && one.otherMs >= otherSpokeMs
    if (one.reported === null && oneSided) return (one.reported = 'silent')
    return null
  }
  return {
    take(levels, ms) {
      const events: HealthEvent[] = []
      for (const [channel, one] of watched.entries()) {
        const level = levels[channel]
        if (!level) continue
        const speaks = levels.some((other, at) => at !== channel && other.peak >= speechPeak)
        const type = inspect(one, level, speaks, ms)
        if (type) events.push({ type, channel })
      }
      const all = watched.every(({ silentMs }) => silentMs >= silenceMs.both)
      if (all && !reportedBoth) events.push({ type: 'both-silent' })
      reportedBoth = all
      return events
    },
    reset() {
      watched = fresh()
      reportedBoth = false
    },
  }
}
