import { join } from 'node:path'
import type { RunsExport } from '../../../shared/bridge/runs.ts'
import { localDay } from '../../../shared/text/local-time.ts'
import type { Clock, Ids, Log } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { writeFileBy, type FileWriter } from '../../exports/documents/file-writer.ts'
import { textsIn } from '../../exports/vectors/texts.ts'
import type { MediaFiles } from '../../media/files.ts'
import { addGeneratedFile, withFile } from '../../media/generated-file.ts'
import type { Store, StoredReply } from '../../store/types.ts'
import { viewOf as remoteItemView } from '../remote-items/reader.ts'
import { viewOf as taskView } from '../tasks/tasks.ts'
import { jsonText } from './json-text.ts'

/** Dependencies of exports. */
export interface RunExportDeps {
  readonly home: string
  readonly store: Pick<
    Store,
    'runs' | 'rerank' | 'embeddings' | 'tasks' | 'remoteItems' | 'replies'
  >
  readonly files: Pick<MediaFiles, 'intake' | 'path'>
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Pick<Log, 'warn'>
}

/** An export file of runs, retained for a day. */
export interface ExportedRuns {
  readonly mediaId: string
  readonly name: string
  readonly count: number
}

/** Writes the next part of a file. */
type Write = FileWriter['write']

/**
 * Exports all matching runs as one JSON file, newest first: `{format: 'lectern-runs', version: 1, of, runs}`. One run is read at
 * a time, yielding between two: all of them may not fit in memory. Throws NOT_FOUND if nothing matches.
 */
export async function exportRuns(deps: RunExportDeps, wanted: RunsExport): Promise<ExportedRuns> {
  const ids = wanted.ids ?? idsOf(deps.store, wanted)
  const writeOne = writers[wanted.of]
  let count = 0
  return withFile(join(deps.home, 'runs-export'), deps.ids(), deps.log, async (path) => {
    await writeFileBy(path, async (file) => {
      const write: Write = (chunk) => file.write(chunk)
      await write(`{"format":"lectern-runs","version":1,"of":"${wanted.of}","runs":[`)
      for (const id of ids) {
        const parts = writeOne(deps, id)
        // Removed meanwhile.
        if (parts === null) continue
        await write(count === 0 ? '\n' : ',\n')
        for await (const part of parts) await write(part)
        count += 1
        await new Promise((resolve) => setImmediate(resolve))
      }
      await write('\n]}\n')
    })
    if (count === 0) throw new AppError('NOT_FOUND', 'Runs not found')
    const name = `${wanted.of}-${localDay(deps.clock())}.json`
    return { mediaId: await addGeneratedFile(deps.files, path, name), name, count }
  })
}

const idsOf = (
  { runs, rerank, embeddings }: RunExportDeps['store'],
  { of, family, state }: RunsExport,
): readonly string[] => {
  const all = { bin: false, limit: Number.MAX_SAFE_INTEGER - 1 }
  if (of === 'rankings') return rerank.list(all).rankings.map(({ id }) => id)
  if (of === 'embeddings') return embeddings.list(all).runs.map(({ id }) => id)
  if (of !== 'operations') return []
  return runs.ids({ family, state })
}

type Parts = Iterable<string> | AsyncIterable<string>

type WriteOne = (deps: RunExportDeps, id: string) => Parts | null

/** A row with its newest raw response; null if there is none. */
const withReply = (row: object, reply: StoredReply | undefined): Parts =>
  withMore(row, function* () {
    const { status = 0, contentType = null, body = '' } = reply ?? {}
    yield '"reply":'
    yield* jsonText(reply ? { status, contentType, body } : null)
  })

const remoteItem: WriteOne = ({ store }, id) => {
  const item = store.remoteItems.get(id)
  if (!item) return null
  const [newest] = store.remoteItems.versions(id)
  return withReply(remoteItemView(item), newest && store.replies.get(newest.replyId))
}

/** The JSON of one run, in chunks; null if it does not exist. */
const writers: Readonly<Record<RunsExport['of'], WriteOne>> = {
  responses: remoteItem,
  slides: remoteItem,
  tasks({ store }, id) {
    const task = store.tasks.get(id)
    if (!task) return null
    const { replyId } = task
    return withReply(taskView(task), replyId === null ? undefined : store.replies.get(replyId))
  },
  operations({ store }, id) {
    const run = store.runs.get(id)
    if (!run) return null
    const { streamId: _, ...rest } = run
    return withMore(rest, function* () {
      yield '"reply":'
      yield* jsonText(store.runs.reply(id))
    })
  },
  rankings({ store }, id) {
    const ranking = store.rerank.get(id)
    if (!ranking) return null
    return withMore(ranking, function* () {
      yield '"replies":['
      for (let round = 0; round < ranking.rounds.all; round++) {
        if (round > 0) yield ','
        yield* jsonText(store.rerank.reply(id, round))
      }
      yield ']'
    })
  },
  embeddings({ store, files }, id) {
    const run = store.embeddings.get(id)
    if (!run) return null
    return withMore(run, async function* () {
      yield '"texts":['
      let first = true
      for await (const text of textsIn(await files.path(run.textsMediaId))) {
        if (!first) yield ','
        yield* jsonText(text)
        first = false
      }
      yield ']'
    })
  },
}

/** An object with one additional field at its end. */
async function* withMore(value: object, more: () => Parts): AsyncGenerator<string> {
  let last = ''
  for (const chunk of jsonText(value)) {
    yield last
    last = chunk
  }
  yield `${last.slice(0, -1)},`
  yield* more()
  yield '}'
}
