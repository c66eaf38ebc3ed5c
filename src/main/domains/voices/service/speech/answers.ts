import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removal } from '../../../../../system/file-moves.ts'
import type { SegmentRecord } from '../../store/speech-types.ts'

/** Engine name and notice of a speech response. */
interface AnswerMeta {
  readonly engine: string | null
  readonly notice: string | null
}

/** Received audio of a segment, from the first complete byte until it is stored in the database. */
interface Answer {
  readonly path: string
  /** Returns an earlier response; null if there is none. */
  there(): Promise<AnswerMeta | null>
  /** Requests the audio: `ask` writes to the given path, completely or not at all. */
  come(ask: (to: string) => Promise<AnswerMeta>): Promise<AnswerMeta>
  drop(): Promise<void>
}

/** Audio files received from the provider that are not in the database yet. */
interface Answers {
  of(segment: Pick<SegmentRecord, 'id' | 'round' | 'again'>, fingerprint: string): Answer
  /**
   * Removes files that are no longer needed: of segments that `wanted` rejects, and leftovers of other work.
   */
  tidy(wanted: (segmentId: string) => boolean): Promise<void>
}

/** Number of fingerprint characters in a file name. */
const printLetters = 16
const nameOf = /^(?<piece>[^.]+)\.\d+\.\d+\.[0-9a-f]{16}\.wav(?<about>\.json)?$/

/**
 * Stores received audio under a name that identifies the request and the segment, so that a start after a crash finds
 * what was already paid for.
 */
export function createAnswers(home: string): Answers {
  const folder = join(home, 'speech')
  return {
    of({ id, round, again }, fingerprint) {
      const print = fingerprint.slice(0, printLetters)
      const path = join(folder, `${id}.${round}.${again}.${print}.wav`)
      const about = `${path}.json`
      return {
        path,
        async there() {
          const size = await stat(path).then(
            (file) => file.size,
            () => 0,
          )
          return size === 0 ? null : readAnswerMeta(about)
        },
        async come(ask) {
          await mkdir(folder, { recursive: true, mode: 0o700 })
          const { engine, notice } = await ask(path)
          await writeFile(about, JSON.stringify({ engine, notice }), { mode: 0o600 })
          return { engine, notice }
        },
        async drop() {
          await Promise.all([path, about].map((file) => rm(file, removal)))
        },
      }
    },
    async tidy(wanted) {
      for (const name of await readdir(folder).catch(() => [])) {
        const segmentId = nameOf.exec(name)?.groups?.['piece']
        if (segmentId === undefined || !wanted(segmentId)) await rm(join(folder, name), removal)
      }
    },
  }
}

async function readAnswerMeta(path: string): Promise<AnswerMeta> {
  try {
    const { engine, notice } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>
    const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
    return { engine: text(engine), notice: text(notice) }
  } catch {
    // The app ended between writing the audio and its metadata; only the audio is essential.
    return { engine: null, notice: null }
  }
}
