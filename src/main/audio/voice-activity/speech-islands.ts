import { doubtful } from './gate.ts'
import { endOf, known, knownAt, voiceAt } from './frames.ts'
import type { FrameRange, Frames } from './frames.ts'

/** Silent frames inside an island of audio: the closure of a consonant. */
const bridge = 4
/** Minimum frames that the gate classifies as voice in an island of speech: the minimum of a segment. */
const voicedIsland = 8
/** Length of a run of doubtful frames that exceeds the gap between two syllables. */
const longDoubt = 10

/** Returns the ranges that the gate cannot decide from frame `from` on: islands with little voice, and long doubtful ranges. */
export function doubts(frames: Frames, from: number): readonly FrameRange[] {
  return islands(frames, from).flatMap((island) => {
    let voiced = 0
    for (let i = island.from; i < island.to; i++) if (voiceAt(frames, i) > doubtful) voiced++
    return voiced < voicedIsland ? [island] : longDoubts(frames, island)
  })
}

function islands(frames: Frames, from: number): FrameRange[] {
  const found: { from: number; to: number }[] = []
  for (let i = Math.max(frames.first, from); i < endOf(frames); i++) {
    if (knownAt(frames, i) !== known.guess) continue
    const last = found.at(-1)
    if (last && i - last.to <= bridge) last.to = i + 1
    else found.push({ from: i, to: i + 1 })
  }
  return found
}

function longDoubts(frames: Frames, island: FrameRange): FrameRange[] {
  const found: FrameRange[] = []
  let start = island.from
  for (let i = island.from; i <= island.to; i++) {
    if (i < island.to && voiceAt(frames, i) <= doubtful) continue
    if (i - start >= longDoubt) found.push({ from: start, to: i })
    start = i + 1
  }
  return found
}
