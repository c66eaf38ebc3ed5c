import type { ChannelLevel } from './audio/messages.ts'

/** Problem of a channel without audio. `zeros`: exactly zero, as from a dead source. */
export type Silence = 'zeros' | 'silent'

/** A channel became silent, or carries audio again; `both`: all channels are silent. Each is reported once per episode. */
export type HealthEvent =
  | { readonly type: Silence | 'sound'; readonly channel: number }
  | { readonly type: 'both-silent' }

/** Monitors the channels' audio, using every level message. */
export interface Health {
  take(levels: readonly ChannelLevel[], ms: number): readonly HealthEvent[]
  /** Resets the counters, after a pause. */
  reset(): void
}

/** Peak (-54 dB) below which not even a quiet room is audible. */
const nothingPeak = 0.002
/** Peak (-30 dB) from which someone speaks. */
const speechPeak = 0.03
/** Speech on the other channel after which one-sided silence is reported, in ms. */
const otherSpokeMs = 3000

/** Duration of a channel's silence before it is reported, in ms. */
const silenceMs = { zeros: 5000, silent: 30_000, both: 90_000 } as const

interface Watched {
  zeroMs: number
  silentMs: number
  /** Duration of speech on another channel meanwhile. */
  otherMs: number
  reported: Silence | null
}

/** Creates a monitor for this many channels. */
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
