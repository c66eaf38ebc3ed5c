import type { ActivityAnswer } from '../activity-messages.ts'
import type { ChannelSound } from './channel-sound.ts'
import type { Ear } from './ear.ts'
import { frameAt, frameMs } from './frames.ts'
import type { Place } from './segmenter.ts'

/** Frames that an ear hears in front of the first one that counts: enough to know the noise, and for the detector to wake up. */
export const runUpFrames = 192

/** One channel that is being looked through. */
export interface ChannelLook {
  /** Where the next look goes on. */
  place(): Place
  more(how: { readonly last: boolean; readonly mostMs: number }): Promise<ActivityAnswer>
  free(): void
}

/** Looks through a channel from a place on. The sound and the ear begin {@link runUpFrames} in front of it, or at the beginning. */
export async function lookThrough(
  sound: ChannelSound,
  ear: Ear,
  from: Place,
): Promise<ChannelLook> {
  let place = from
  const first = frameAt(from.ms)
  const runUp = Math.min(first, runUpFrames)
  await ear.take(sound.more(runUp, false))
  ear.dropBefore(first)

  return {
    place: () => place,
    async more({ last, mostMs }) {
      await ear.take(sound.more(Math.max(1, Math.floor(mostMs / frameMs)), last))
      const done = sound.atEnd(last)
      const endMs = last && done ? Math.max(place.ms, sound.lengthMs()) : null
      const finding = await ear.find(place, endMs)
      place = finding.place
      ear.dropBefore(frameAt(place.ms))
      return {
        segments: finding.segments,
        analysedMs: place.ms,
        forced: place.forced,
        done,
      }
    },
    free() {
      sound.free()
      ear.free()
    },
  }
}
