import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { ChannelState } from './audio/channel.ts'
import type { ChannelLevel, SendingState } from './audio/messages.ts'
import type { SourceProblem } from './audio/sources.ts'
import type { Silence } from './recording-health.ts'
import type { CheckVerdict } from './audio-check.ts'

/** `ready`: sources are open and measured, nothing is recorded yet. */
export type Phase = 'idle' | 'opening' | 'ready' | 'starting' | 'recording' | 'paused' | 'stopping'

/** A channel as the screens show it. */
export interface ChannelView {
  readonly role: 'mic' | 'others'
  label: string
  state: ChannelState
  /** It is lost since it was opened. */
  endedAtOnce?: boolean
  /** The silence that was said and lasts. */
  silence: Silence | null
  verdict: CheckVerdict | null
}

/** What the screens know of a recording; lengths in milliseconds on its timeline. */
export interface CaptureState {
  phase: Phase
  /** The meeting that is recorded here; null before it exists. */
  meetingId: string | null
  title: string
  channels: ChannelView[]
  recordedMs: number
  writtenMs: number
  sending: SendingState
  driftPpm: number | null
  wrongRate: boolean
  /** Nobody was heard for a long time. */
  bothSilent: boolean
  /** The system stopped the audio. */
  stalled: boolean
  /** Length of a sleep that was left out. */
  sleptMs: number | null
  /** Bytes left on the disk; null while unknown. */
  freeBytes: number | null
  /** Seconds until it stops by itself; null while no countdown runs. */
  countdown: number | null
  /** 0 to 1 while the three-second check runs; null when none does. */
  checking: number | null
  /** Why sources could not be opened. */
  problem: SourceProblem | null
  failure: Failure | null
  /** The recording that ended last, for who waits for its end. */
  ended: string | null
}

/** Nothing is recorded. */
export const idle = (): CaptureState => ({
  phase: 'idle',
  meetingId: null,
  title: '',
  channels: [],
  recordedMs: 0,
  writtenMs: 0,
  sending: 'ok',
  driftPpm: null,
  wrongRate: false,
  bothSilent: false,
  stalled: false,
  sleptMs: null,
  freeBytes: null,
  countdown: null,
  checking: null,
  problem: null,
  failure: null,
  ended: null,
})

/** No level yet. */
export const silentLevel: ChannelLevel = { peak: 0, rms: 0, zero: false }
