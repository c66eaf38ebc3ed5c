import { known } from './frames.ts'
import type { Frames } from './frames.ts'

/** Frames that are still needed, at their positions on the meeting's grid. Grows at its end and is trimmed at its front. */
export interface HeldFrames extends Frames {
  readonly first: number
  readonly voice: number[]
  readonly power: number[]
  readonly known: number[]
  push(frame: { readonly voice: number; readonly power: number; readonly known: number }): void
  /** Sets the detector's result for a frame; frames that are already dropped are skipped. */
  learn(frame: number, voice: number): void
  dropBefore(frame: number): void
}

/** Creates an empty list that begins at a frame of the grid. */
export function holdFrames(first: number): HeldFrames {
  let start = first
  const voice: number[] = []
  const power: number[] = []
  const by: number[] = []
  return {
    get first() {
      return start
    },
    voice,
    power,
    known: by,
    push(frame) {
      voice.push(frame.voice)
      power.push(frame.power)
      by.push(frame.known)
    },
    learn(frame, probability) {
      const at = frame - start
      if (at < 0 || at >= voice.length) return
      voice[at] = probability
      by[at] = known.detector
    },
    dropBefore(frame) {
      const count = Math.min(Math.max(0, frame - start), voice.length)
      for (const list of [voice, power, by]) list.splice(0, count)
      start += count
    },
  }
}
