import type { ActivityAnswer } from '../activity-messages.ts'
import type { ChannelAudio } from './channel-audio.ts'
import type { VoiceDetector } from './voice-detector.ts'
import { frameAt, frameMs } from './frames.ts'
import type { Place } from './segmenter.ts'

/** Frames that a detector processes before the first one that counts: enough to learn the noise, and to warm up. */
export const runUpFrames = 192

/** Analysis of one channel. */
export interface ChannelInspection {
  /** Returns where the next analysis continues. */
  place(): Place
  more(how: { readonly last: boolean; readonly maxMs: number }): Promise<ActivityAnswer>
  free(): void
}

/** Analyzes a channel from a position on. Audio and detector begin {@link runUpFrames} before it, or at the beginning. */
export async function createChannelInspection(
  audio: ChannelAudio,
  detector: VoiceDetector,
  from: Place,
): Promise<ChannelInspection> {
  let place = from
  const first = frameAt(from.ms)
  const runUp = Math.min(first, runUpFrames)
  await detector.take(audio.more(runUp, false))
  detector.dropBefore(first)

  return {
    place: () => place,
    async more({ last, maxMs }) {
      await detector.take(audio.more(Math.max(1, Math.floor(maxMs / frameMs)), last))
      const done = audio.atEnd(last)
      const endMs = last && done ? Math.max(place.ms, audio.lengthMs()) : null
      const finding = await detector.find(place, endMs)
      place = finding.place
      detector.dropBefore(frameAt(place.ms))
      return {
        segments: finding.segments,
        analysedMs: place.ms,
        forced: place.forced,
        done,
      }
    },
    free() {
      audio.free()
      detector.free()
    },
  }
}
