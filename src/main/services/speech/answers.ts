import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removal } from '../../../system/file-moves.ts'
import type { SegmentRecord } from '../../store/speech-types.ts'

/** Who spoke, and what it says of itself. */
export interface AnswerMeta {
  readonly engine: string | null
  readonly notice: string | null
}

/** What came for a piece, from the first whole byte on until it stands in the database. */
export interface Answer {
  readonly path: string
  /** What came before; null when nothing did. */
  there(): Promise<AnswerMeta | null>
  /** Lets it come: `ask` writes the path it is given, whole or not at all. */
  come(ask: (to: string) => Promise<AnswerMeta>): Promise<AnswerMeta>
  drop(): Promise<void>
}

/** Sounds on their way from the service into the database. */
export interface Answers {
  of(segment: Pick<SegmentRecord, 'id' | 'round' | 'again'>, fingerprint: string): Answer
  /** Takes away what nobody will ask for: of pieces that `wanted` does not know, and what other work left. */
  tidy(wanted: (segmentId: string) => boolean): Promise<void>
}

/** Letters of a fingerprint in a name. */
const printLetters = 16
const nameOf = /^(?<piece>[^.]+)\.\d+\.\d+\.[0-9a-f]{16}\.wav(?<about>\.json)?$/

/**
 * Keeps answers under a name that says for which wish of which piece they came, so that a start after an end without warning finds
 * what was paid for already.
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
    // The end came between the sound and what is said of it: the sound is what counts.
    return { engine: null, notice: null }
  }
}
