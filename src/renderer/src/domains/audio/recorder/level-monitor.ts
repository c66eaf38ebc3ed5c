import type { CaptureEvent } from '../../../../../shared/model/meeting.ts'
import type { LevelMessage } from './audio/messages.ts'
import { createAutoStop, type AutoStop } from './auto-stop.ts'
import { createHealth, type Health } from './recording-health.ts'
import { createAudioCheck, type AudioCheck } from './audio-check.ts'
import type { CaptureState } from './state.ts'
import type { ShowNotice } from './use-notices.ts'

/** Evaluates the levels: the audio check before a recording, silence detection, and the automatic stop. */
interface LevelMonitor {
  take(message: LevelMessage, sampleRate: number): void
  /** Starts the three-second check. */
  check(): void
  /** Called when a recording begins that stops automatically after this duration of silence. */
  record(autoStopMinutes: number | null): void
  /** Resets the counters after a pause, or after a gap of this many ms. */
  paused(): void
  gap(ms: number): void
  keep(): void
}

/** Peak from which speech is detected again. */
const audiblePeak = 0.03

/** Creates the monitor on the shown state. `onStop`: the countdown ran out. */
export function createLevelMonitor(parts: {
  readonly state: CaptureState
  readonly say: ShowNotice
  emit(event: CaptureEvent): void
  onStop(): void
}): LevelMonitor {
  const { state, say } = parts
  let health: Health = createHealth(0)
  let autoStop: AutoStop = createAutoStop(null)
  let check: AudioCheck | null = null

  const listen = (message: LevelMessage, ms: number): void => {
    const verdicts = check?.take(message.levels, ms) ?? null
    state.checking = verdicts ? null : (check?.progress ?? null)
    if (!verdicts) return
    check = null
    for (const [at, channel] of state.channels.entries()) channel.verdict = verdicts[at] ?? null
  }
  const notice = (message: LevelMessage, ms: number): void => {
    for (const event of health.take(message.levels, ms)) {
      if (event.type === 'both-silent') {
        state.bothSilent = true
        say('bothSilent')
        continue
      }
      const channel = state.channels[event.channel]
      if (!channel) continue
      channel.silence = event.type === 'sound' ? null : event.type
      parts.emit({ type: event.type, channel: event.channel, atMs: state.recordedMs })
      // A lost source has already been reported.
      if (event.type !== 'sound' && channel.state === 'live')
        say(event.type, { name: channel.label })
    }
    if (message.levels.some(({ peak }) => peak >= audiblePeak)) state.bothSilent = false
  }
  return {
    take(message, sampleRate) {
      const ms = (message.frames * 1000) / sampleRate
      if (check) listen(message, ms)
      if (state.phase !== 'recording') return
      notice(message, ms)
      const before = state.countdown
      state.countdown = autoStop.take(message.levels, ms)
      if (before === null && state.countdown !== null) say('countdown')
      if (state.countdown === 0) parts.onStop()
    },
    check() {
      check = createAudioCheck(state.channels.length)
      state.checking = 0
      for (const channel of state.channels) channel.verdict = null
    },
    record(minutes) {
      check = null
      state.checking = null
      health = createHealth(state.channels.length)
      autoStop = createAutoStop(minutes)
    },
    paused() {
      health.reset()
      state.countdown = null
    },
    gap: (ms) => autoStop.gap(ms),
    keep() {
      autoStop.keep()
      state.countdown = null
    },
  }
}
