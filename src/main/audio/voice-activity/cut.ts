import { endOf, frameMs, framesOf, knownAt, known, powerAt, voiceAt } from './frames.ts'
import type { FrameRange, Frames } from './frames.ts'
import { rules } from './rules.ts'

/** Cut of speech that reached the maximum length: in the middle of `frame`, between two words or (`forced`) through one. */
export interface Cut {
  readonly frame: number
  readonly forced: boolean
  /** Frames that affect the choice and that the detector has not processed. */
  readonly question: FrameRange | null
}

/** Pauses shorter than this may be the closure of a consonant: the detector checks them. */
const plainPauseFrames = framesOf(300)

/**
 * Chooses the cut of a segment that continues to frame `end`: in the longest pause of the last 10 s (15 s if those contain no
 * comfortable one), at the quietest 100 ms of its middle half; without a pause at the quietest 100 ms of the last 3 s.
 */
export function chooseCut(frames: Frames, end: number): Cut {
  const near = longestPause(frames, end - framesOf(rules.lookBackMs), end)
  const pause = near && near.to - near.from >= framesOf(rules.comfortableMs) ? near : further()
  if (pause) {
    const quarter = Math.floor((pause.to - pause.from) / 4)
    const frame = quietest(frames, pause.from + quarter, pause.to - quarter)
    return { frame, forced: false, question: doubt(pause) }
  }
  const last = Math.max(frames.first, end - framesOf(rules.forcedLookBackMs))
  const question = { from: Math.max(frames.first, end - framesOf(rules.lookBackMs)), to: end }
  return {
    frame: quietest(frames, last, end),
    forced: true,
    question: unseen(frames, question) ? question : null,
  }

  function further(): FrameRange | null {
    const far = longestPause(frames, end - framesOf(rules.lookFurtherMs), end)
    if (!near || !far) return far
    // A later cut makes fewer segments: an earlier pause must be clearly better.
    return far.to - far.from >= 1.5 * (near.to - near.from) ? far : near
  }

  function doubt(run: FrameRange): FrameRange | null {
    if (run.to - run.from >= plainPauseFrames || !unseen(frames, run)) return null
    return { from: Math.max(frames.first, run.from - 2), to: Math.min(end, run.to + 2) }
  }
}

/** Whether the detector has not processed a frame of the range. */
export function unseen(frames: Frames, range: FrameRange): boolean {
  for (let i = Math.max(frames.first, range.from); i < Math.min(endOf(frames), range.to); i++)
    if (knownAt(frames, i) < known.detector) return true
  return false
}

/** Returns the longest run without voice, the latest of equals; null if none is long enough to cut in. */
function longestPause(frames: Frames, from: number, to: number): FrameRange | null {
  let best: FrameRange | null = null
  let start = Math.max(frames.first, from)
  for (let i = start; i <= to; i++) {
    if (i < to && voiceAt(frames, i) < rules.silence) continue
    if (i - start >= rules.minPauseMs / frameMs && (!best || i - start >= best.to - best.from))
      best = { from: start, to: i }
    start = i + 1
  }
  return best
}

/** Returns the frame in the middle of the quietest three (96 ms), of equals the nearest to the middle. */
function quietest(frames: Frames, from: number, to: number): number {
  const middle = Math.floor((from + to) / 2)
  let best = middle
  let minPower = Infinity
  for (let i = from + 1; i < to - 1; i++) {
    const power = powerAt(frames, i - 1) + powerAt(frames, i) + powerAt(frames, i + 1)
    if (power > minPower) continue
    if (power === minPower && Math.abs(i - middle) >= Math.abs(best - middle)) continue
    minPower = power
    best = i
  }
  return best
}
