import type { Clock } from '../../../deps.ts'
import type { RecorderAnswer } from '../../../audio/recorder-messages.ts'
import type { CaptureProgress } from '../parts.ts'

/** Gathers the answers of a session and tells about them. */
export interface Progress {
  add(writtenMs: number, answer: RecorderAnswer): void
}

/** Milliseconds between two tellings. */
const everyMs = 1000

/** Tells about a session once a second while sound comes: the levels are those of all blocks since the last time, not of one. */
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

/** Blocks are about equally long: the mean of their energies is that of the whole. */
function gather(levels: RecorderAnswer['levels']): RecorderAnswer['levels'][number] {
  const energy = levels.reduce((sum, { rms }) => sum + rms * rms, 0) / Math.max(1, levels.length)
  return {
    peak: Math.max(0, ...levels.map(({ peak }) => peak)),
    rms: Math.sqrt(energy),
    zero: levels.every(({ zero }) => zero),
  }
}
