import type { Clock } from '../../../../deps.ts'
import type { RecorderAnswer } from '../../worker/recorder-messages.ts'
import type { CaptureProgress } from '../parts.ts'

/** Collects the responses of a session and reports progress. */
export interface Progress {
  add(writtenMs: number, answer: RecorderAnswer): void
}

/** Milliseconds between two reports. */
const everyMs = 1000

/**
 * Reports a session's progress once a second while audio is received: levels cover all blocks since the last report, not just
 * one.
 */
export function createProgress(
  id: string,
  clock: Clock,
  onProgress: (progress: CaptureProgress) => void,
): Progress {
  let reportedAt = clock()
  let blocks: RecorderAnswer['levels'][] = []

  return {
    add(writtenMs, { levels, freeBytes, full }) {
      blocks.push(levels)
      if (!full && Math.abs(clock() - reportedAt) < everyMs) return
      const gathered = levels.map((_, channel) =>
        gather(blocks.flatMap((each) => each[channel] ?? [])),
      )
      reportedAt = clock()
      blocks = []
      onProgress({ id, writtenMs, levels: gathered, freeBytes, full })
    },
  }
}

/** Combines levels; blocks are about equally long, so the mean of their energies is that of the whole. */
function gather(levels: RecorderAnswer['levels']): RecorderAnswer['levels'][number] {
  const energy = levels.reduce((sum, { rms }) => sum + rms * rms, 0) / Math.max(1, levels.length)
  return {
    peak: Math.max(0, ...levels.map(({ peak }) => peak)),
    rms: Math.sqrt(energy),
    zero: levels.every(({ zero }) => zero),
  }
}
