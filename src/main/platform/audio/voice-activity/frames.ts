import { transcriptionRate } from '../../../../shared/model/meeting.ts'

/** Samples of one voice activity frame at 16 kHz: the input size of the detector. */
export const frameSamples = 512

/** Milliseconds per frame; frame `n` begins at `n * frameMs` of the meeting. */
export const frameMs = (frameSamples / transcriptionRate) * 1000

/** Source of the decision whether a frame contains voice: a guess by its level, the gate where it is certain, or the detector. */
export const known = { guess: 0, gate: 1, detector: 2 } as const

/** Run of frames on the meeting's grid, from frame `first` on. All lists have the same length. */
export interface Frames {
  readonly first: number
  /** Probability of speech, 0 to 1. */
  readonly voice: ArrayLike<number>
  /** Mean square of the samples, 0 to 1. */
  readonly power: ArrayLike<number>
  /** Source of the probability, from {@link known}. */
  readonly known: ArrayLike<number>
}

/** Frames `from` (inclusive) to `to` (exclusive) of the meeting's grid. */
export interface FrameRange {
  readonly from: number
  readonly to: number
}

/** Converts milliseconds to frames, rounded up. */
export const framesOf = (ms: number): number => Math.ceil(ms / frameMs)

/** Returns the frame that contains a time. */
export const frameAt = (ms: number): number => Math.floor(ms / frameMs)

/** Returns the first frame after the list. */
export const endOf = (frames: Frames): number => frames.first + frames.voice.length

/** Returns the speech probability of a frame of the grid; 0 outside the list. */
export const voiceAt = (frames: Frames, frame: number): number =>
  frames.voice[frame - frames.first] ?? 0

/** Returns the source of the probability of a frame of the grid. */
export const knownAt = (frames: Frames, frame: number): number =>
  frames.known[frame - frames.first] ?? known.detector

/** Returns the mean square of a frame of the grid; 0 outside the list. */
export const powerAt = (frames: Frames, frame: number): number =>
  frames.power[frame - frames.first] ?? 0
