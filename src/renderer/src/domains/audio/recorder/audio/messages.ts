/** Loudness of one channel over a range of samples, computed from all samples. */
export interface ChannelLevel {
  /** Maximum absolute sample, 0 to 1. */
  readonly peak: number
  /** Root mean square, 0 to 1. */
  readonly rms: number
  /** Whether every sample was exactly zero, as from a dead source. */
  readonly zero: boolean
}

/** Levels of all channels over `frames` frames, about 50 times a second. */
export interface LevelMessage {
  readonly type: 'levels'
  readonly frames: number
  readonly levels: readonly ChannelLevel[]
}

/** Requests of the window to the worklet. Recording begins with `record`, at frame 0, on the port sent with it. */
export type WorkletRequest =
  | { readonly type: 'record'; readonly port: MessagePort }
  | { readonly type: 'pause' | 'resume' | 'end' }

/**
 * Messages of the worklet to the sender, which bypass the window. `frame` counts recorded frames without pauses; `wallMs` is the
 * wall clock when the samples were captured, the only clock an audio worklet has.
 */
export type RecorderMessage =
  | {
      readonly type: 'block'
      /** Counts from 0 without gaps. */
      readonly seq: number
      /** Frame at which the block begins. */
      readonly frame: number
      /** Interleaved. */
      readonly samples: Int16Array<ArrayBuffer>
      readonly wallMs: number
    }
  | { readonly type: 'paused' | 'resumed' | 'ended'; readonly frame: number }

/** Requests of the window to the sender's worker. */
export type SenderRequest =
  | {
      readonly type: 'open'
      /** ID of the meeting. */
      readonly id: string
      readonly channels: number
      readonly sampleRate: number
      /** The tab's key; null in Electron. */
      readonly tabKey: string | null
      /** Port that receives the worklet's blocks. */
      readonly port: MessagePort
    }
  /** Retries immediately: main is reported to be available again. */
  | { readonly type: 'hurry' }

/** State of the connection to main. `refused`: main responds, but does not accept the audio. */
export type SendingState = 'ok' | 'retrying' | 'overload' | 'refused' | 'full'

/** Messages of the sender to the window; all frames are on the meeting's timeline, including gaps. */
export type SenderMessage =
  | {
      readonly type: 'progress'
      /** Length of the timeline so far: frames counted by the worklet plus filled gaps. */
      readonly recorded: number
      /** Number of frames that main has written. */
      readonly written: number
      readonly state: SendingState
      /** Parts per million by which frames run ahead of the clock; null in the first seconds. */
      readonly driftPpm: number | null
    }
  | { readonly type: 'paused' | 'resumed'; readonly frame: number }
  | {
      readonly type: 'gap'
      readonly frame: number
      readonly endFrame: number
      readonly reason: 'suspended' | 'overload' | 'lost'
    }
  /** The computer slept longer than the maximum filled with silence: the timeline continues without it. */
  | { readonly type: 'slept'; readonly ms: number }
  /** Frames arrive at the wrong pace: the actual sample rate differs from the reported one; 0 when it is correct again. */
  | { readonly type: 'wrong-rate'; readonly ppm: number }
  /** The recording has ended and all its frames are written (or the disk is full). */
  | { readonly type: 'done'; readonly frames: number; readonly written: number }
