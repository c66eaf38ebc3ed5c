/** Loudness of one channel over a stretch of samples. All of it is counted: nothing is sampled. */
export interface ChannelLevel {
  /** Largest absolute sample, 0 to 1. */
  readonly peak: number
  /** Root mean square, 0 to 1. */
  readonly rms: number
  /** Every sample was exactly zero, as a dead source gives. */
  readonly zero: boolean
}

/** Levels of all channels over `frames` frames, about 50 times a second. */
export interface LevelMessage {
  readonly type: 'levels'
  readonly frames: number
  readonly levels: readonly ChannelLevel[]
}

/** What the window tells the worklet. Recording begins with `record`, at frame 0, on the port that comes with it. */
export type WorkletRequest =
  | { readonly type: 'record'; readonly port: MessagePort }
  | { readonly type: 'pause' | 'resume' | 'end' }

/**
 * What the worklet tells the sender, past the window. `frame` counts recorded frames, pauses left out; `wallMs` is the
 * wall clock when the samples were taken, the only one an audio worklet has.
 */
export type RecorderMessage =
  | {
      readonly type: 'block'
      /** Counts from 0 without holes. */
      readonly seq: number
      /** The frame it begins at. */
      readonly frame: number
      /** Interleaved. */
      readonly samples: Int16Array<ArrayBuffer>
      readonly wallMs: number
    }
  | { readonly type: 'paused' | 'resumed' | 'ended'; readonly frame: number }

/** What the window tells the sender's worker. */
export type SenderRequest =
  | {
      readonly type: 'open'
      /** The meeting's id. */
      readonly id: string
      readonly channels: number
      readonly sampleRate: number
      /** The tab's key; null in Electron. */
      readonly tabKey: string | null
      /** Where the worklet's blocks come in. */
      readonly port: MessagePort
    }
  /** Tries again at once: main is said to be back. */
  | { readonly type: 'hurry' }

/** How the way to main is. `refused`: main answers, and does not take the sound. */
export type SendingState = 'ok' | 'retrying' | 'overload' | 'refused' | 'full'

/** What the sender tells the window; all frames are on the meeting's timeline, gaps counted. */
export type SenderMessage =
  | {
      readonly type: 'progress'
      /** Length of the timeline so far: what the worklet counted and the gaps that were filled. */
      readonly recorded: number
      /** Frames that main has written. */
      readonly written: number
      readonly state: SendingState
      /** Parts per million that frames run ahead of the clock; null in the first seconds. */
      readonly driftPpm: number | null
    }
  | { readonly type: 'paused' | 'resumed'; readonly frame: number }
  | {
      readonly type: 'gap'
      readonly frame: number
      readonly endFrame: number
      readonly reason: 'suspended' | 'overload' | 'lost'
    }
  /** The computer slept longer than silence is written for: the timeline goes on without it. */
  | { readonly type: 'slept'; readonly ms: number }
  /** Frames come at a wrong pace: the rate is not what the source says; 0 when they come as they should again. */
  | { readonly type: 'wrong-rate'; readonly ppm: number }
  /** The recording has ended and every frame of it is written (or the disk is full). */
  | { readonly type: 'done'; readonly frames: number; readonly written: number }
