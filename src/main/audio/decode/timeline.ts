import type { FileKind } from '../../../shared/audio/kind.ts'
import type { Decoded } from './decoded.ts'

type DecodedAudio = Extract<Decoded, { type: 'sound' }>

/** Puts frames at the time their file tells. */
export interface Timeline {
  /** Appends to `out` what lies between, and the frame; `at` in seconds, null when it is not told. */
  place(audio: DecodedAudio, at: number | null, out: Decoded[]): void
}

/** Containers whose clocks begin at 0: sound that begins later begins later. Others may begin anywhere, and begin at once. */
const fromZero: ReadonlySet<FileKind> = new Set(['mp4', 'm4a', 'webm'])

/** Seconds: a beginning later than this is a piece of something longer, and begins at once. */
const latestStart = 600

/** Seconds by which times may be off: containers round them, to a millisecond and more. */
const tolerance = 0.06

/** Seconds without frames, from where on something is missing; shorter ones are how silence is left out (Opus, DTX). */
const shortestLoss = 1

/** Seconds of one hole, and of all, that are believed. A clock that jumps further is damage, and is set right. */
const maxSeconds = { hole: 3600, together: 4 * 3600 } as const

/** Begins before the first frame of a file. */
export function createTimeline(kind: FileKind): Timeline {
  /** Seconds that were given out, and how far the file's clock is ahead of them. */
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
        // A clock that ran back, or too far ahead: time goes on from here.
        offset += behind
      }
      given += (audio.channels[0]?.length ?? 0) / audio.rate
      out.push(audio)
    },
  }
}
