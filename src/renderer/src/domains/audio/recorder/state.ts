import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { ChannelState } from './audio/channel.ts'
import type { SendingState } from './audio/messages.ts'
import type { SourceProblem } from './audio/sources.ts'
import type { Silence } from './recording-health.ts'
import type { CheckVerdict } from './audio-check.ts'

/** `ready`: sources are open and metered, but not recorded yet. */
type Phase = 'idle' | 'opening' | 'ready' | 'starting' | 'recording' | 'paused' | 'stopping'

/** A channel as shown on the screens. */
export interface ChannelView {
  readonly role: 'mic' | 'others'
  label: string
  state: ChannelState
  /** Whether it was lost right after it was opened. */
  endedAtOnce?: boolean
  /** The reported silence that still lasts. */
  silence: Silence | null
  verdict: CheckVerdict | null
}

/** State of a recording for the screens; durations in milliseconds on its timeline. */
export interface CaptureState {
  phase: Phase
  /** ID of the meeting recorded here; null before it exists. */
  meetingId: string | null
  title: string
  channels: ChannelView[]
  recordedMs: number
  writtenMs: number
  sending: SendingState
  driftPpm: number | null
  wrongRate: boolean
  /** Whether no speech was detected for a long time. */
  bothSilent: boolean
  /** Whether the system stopped the audio. */
  stalled: boolean
  /** Duration of a sleep that was omitted. */
  sleptMs: number | null
  /** Free bytes on the disk; null while unknown. */
  freeBytes: number | null
  /** Seconds until the automatic stop; null while no countdown runs. */
  countdown: number | null
  /** 0 to 1 while the three-second check runs; null otherwise. */
  checking: number | null
  /** Why sources could not be opened. */
  problem: SourceProblem | null
  failure: Failure | null
  /** ID of the recording that ended last, for callers that wait for its end. */
  ended: string | null
}

/** Creates the state without a recording. */
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
