import { frameSamples } from './frames.ts'
import type { FrameRange } from './frames.ts'
import type { Silero } from './silero.ts'

/**
 * Frames before a range that the detector processes only to warm up: it begins without state, and gives the same results as with
 * state from the sixth frame on (mean difference 0.01 in quiet, 0.03 in noise of 10 dB).
 */
export const warmUpFrames = 6

/** Maximum number of ranges processed as a batch. */
const maxParallel = 16

/** Returns ranges in order, merging those that would share their beginnings. */
export function merged(ranges: readonly FrameRange[]): FrameRange[] {
  const out: { from: number; to: number }[] = []
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = out.at(-1)
    if (last && range.from - last.to <= warmUpFrames) last.to = Math.max(last.to, range.to)
    else out.push({ ...range })
  }
  return out
}

/**
 * Runs the detector on ranges of the audio (whole frames, the first of them `first`), several as a batch, and reports its result
 * for each frame. Longer ranges start first, so that the last ones end together.
 */
export async function askDetector(
  silero: Silero,
  audio: { readonly samples: Int16Array; readonly first: number },
  ranges: readonly FrameRange[],
  onFrame: (frame: number, voice: number) => void,
): Promise<void> {
  const waiting = merged(ranges).toSorted((a, b) => b.to - b.from - (a.to - a.from))
  const end = audio.first + Math.floor(audio.samples.length / frameSamples)
  const { lanes, run } = silero.lanes(laneCount(waiting))
  const followed = lanes.map(() => ({ at: 0, from: 0, to: 0 }))
  for (;;) {
    let busy = 0
    for (const [number, lane] of lanes.entries()) {
      const now = followed[number]
      if (!now) continue
      if (now.at >= now.to) {
        const next = waiting.shift()
        if (!next) continue
        now.from = next.from
        now.at = Math.max(audio.first, next.from - warmUpFrames)
        now.to = Math.min(end, next.to)
        lane.reset()
      }
      if (now.at >= now.to) continue
      lane.put(audio.samples, (now.at - audio.first) * frameSamples)
      busy++
    }
    if (busy === 0 && waiting.length === 0) return
    const voices = await run()
    for (const [number, now] of followed.entries()) {
      if (now.at >= now.to) continue
      if (now.at >= now.from) onFrame(now.at, voices[number] ?? 0)
      now.at++
    }
  }
}

/** Returns the number of lanes that stay busy until the longest range is done: an idle lane costs as much as a busy one. */
function laneCount(ranges: readonly FrameRange[]): number {
  const lengths = ranges.map((range) => range.to - range.from + warmUpFrames)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  return Math.min(maxParallel, ranges.length, Math.ceil(total / Math.max(1, ...lengths)))
}
