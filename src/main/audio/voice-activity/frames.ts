import { transcriptionRate } from '../../../shared/model/meeting.ts'

/** Samples of one frame of voice activity at 16 kHz: what the detector takes at a time. */
export const frameSamples = 512

/** Milliseconds of a frame; frame `n` begins at `n * frameMs` of the meeting. */
export const frameMs = (frameSamples / transcriptionRate) * 1000

/** Who says whether a frame holds voice: a guess by its loudness, the gate where it is sure, or the detector. */
export const known = { guess: 0, gate: 1, detector: 2 } as const

/** A run of frames on the meeting's grid, from frame `first` on. All lists are of one length. */
export interface Frames {
  readonly first: number
  /** Probability that somebody speaks, 0 to 1. */
  readonly voice: ArrayLike<number>
  /** Mean square of the samples, 0 to 1. */
  readonly power: ArrayLike<number>
  /** Who said it, of {@link known}. */
  readonly known: ArrayLike<number>
}

/** Frames `from` to before `to` of the meeting's grid. */
export interface FrameRange {
  readonly from: number
  readonly to: number
}

/** Frames of a number of milliseconds, rounded up. */
export const framesOf = (ms: number): number => Math.ceil(ms / frameMs)

/** The frame in which a moment lies. */
export const frameAt = (ms: number): number => Math.floor(ms / frameMs)

/** The first frame behind the list. */
export const endOf = (frames: Frames): number => frames.first + frames.voice.length

/** The probability of a frame of the grid; 0 outside the list. */
export const voiceAt = (frames: Frames, frame: number): number =>
  frames.voice[frame - frames.first] ?? 0

/** Who said it of a frame of the grid. */
export const knownAt = (frames: Frames, frame: number): number =>
  frames.known[frame - frames.first] ?? known.detector

/** Mean square of a frame of the grid; 0 outside the list. */
export const powerAt = (frames: Frames, frame: number): number =>
  frames.power[frame - frames.first] ?? 0
