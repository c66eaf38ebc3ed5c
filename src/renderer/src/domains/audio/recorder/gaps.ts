import type { CaptureEvent } from '../../../../../shared/model/meeting.ts'
import type { ChannelState } from './audio/channel.ts'

/** Reports channel changes as events on the timeline: a gap is reported once its end is known. */
interface ChannelLog {
  /** Records the current state of a channel's source. */
  take(
    channel: number,
    source: { readonly state: ChannelState; readonly label: string },
    atMs: number,
  ): readonly CaptureEvent[]
  /** Ends the recording and all open gaps. */
  end(atMs: number): readonly CaptureEvent[]
}

interface Known {
  state: ChannelState
  label: string
  since: number
}

/** Creates the log with the labels at the start of the recording. */
export function createChannelLog(labels: readonly string[]): ChannelLog {
  const known: Known[] = labels.map((label) => ({ state: 'live', label, since: 0 }))
  const holeOf = (one: Known, channel: number, endMs: number): CaptureEvent[] => {
    if (one.state === 'live' || endMs <= one.since) return []
    const reason = one.state === 'lost' ? 'device' : 'muted'
    return [{ type: 'gap', atMs: one.since, endMs, channel, reason }]
  }
  return {
    take(channel, { state, label }, atMs) {
      const one = known[channel]
      if (!one) return []
      const events: CaptureEvent[] = []
      if (state !== one.state) {
        events.push(...holeOf(one, channel, atMs))
        Object.assign(one, { state, since: atMs })
      }
      if (state !== 'lost' && label !== one.label) {
        events.push({ type: 'device', atMs, channel, label })
        one.label = label
      }
      return events
    },
    end: (atMs) => known.flatMap((one, channel) => holeOf(one, channel, atMs)),
  }
}
