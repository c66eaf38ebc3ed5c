import type { FileKind } from '../../../shared/audio/kind.ts'
import type { Decoded } from './decoded.ts'

type DecodedAudio = Extract<Decoded, { type: 'sound' }>

/** Places frames at the time that their file specifies. */
export interface Timeline {
  /** Appends any gap and the frame to `out`; `at` in seconds, null if unknown. */
  place(audio: DecodedAudio, at: number | null, out: Decoded[]): void
}

/** Containers whose clocks start at 0: a later start is real. The clocks of others start anywhere; their audio starts at once. */
const fromZero: ReadonlySet<FileKind> = new Set(['mp4', 'm4a', 'webm'])

/** Seconds: audio that starts later than this is an excerpt of a longer recording and starts at once. */
const latestStart = 600

/** Tolerance of times in seconds: containers round them, to a millisecond and more. */
const tolerance = 0.06

/** Seconds without frames from which audio counts as lost; shorter gaps are omitted silence (Opus, DTX). */
const shortestLoss = 1

/** Maximum seconds of one gap, and of all gaps, that are trusted. A clock that jumps further is damaged and is corrected. */
const maxSeconds = { hole: 3600, together: 4 * 3600 } as const

/** Creates a timeline that begins before the first frame of a file. */
export function createTimeline(kind: FileKind): Timeline {
  /** Seconds returned so far, and how far the file's clock is ahead of them. */
  let given = 0
  let offset: number | null = null
  let holes = 0

  return {
    place(audio, at, out) {
      const isFirst = offset === null
      if (offset === null)
        offset = at !== null && !(fromZero.has(kind) && at < latestStart) ? at : 0
      const behind = at === null ? 0 : at - offset - given
      const believed = behind <= maxSeconds.hole && holes + behind <= maxSeconds.together
      if (behind > tolerance && believed) {
        const lost = !isFirst && behind >= shortestLoss
        out.push({ type: 'silence', seconds: behind, lost })
        given += behind
        holes += behind
      } else if (Math.abs(behind) > tolerance) {
        // The clock ran backward, or too far ahead: time continues from here.
        offset += behind
      }
      given += (audio.channels[0]?.length ?? 0) / audio.rate
      out.push(audio)
    },
  }
}
