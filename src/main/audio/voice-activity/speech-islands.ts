import { doubtful } from './gate.ts'
import { endOf, known, knownAt, voiceAt } from './frames.ts'
import type { FrameRange, Frames } from './frames.ts'

/** Silent frames inside an island of sound: the closure of a consonant. */
const bridge = 4
/** Frames that the gate takes for voice in an island that is speech: the least a segment holds. */
const voicedIsland = 8
/** A run of doubtful frames that is longer than what lies between two syllables. */
const longDoubt = 10

/** What the gate cannot tell by itself from frame `from` on: islands of sound with little voice, and long doubtful stretches. */
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
