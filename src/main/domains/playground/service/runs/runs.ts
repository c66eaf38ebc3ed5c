import type { Context } from '../../../../context.ts'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunsExport } from '../../../../../shared/contract/runs.ts'
import type { OperationInfo } from '../../../../../shared/model/operation.ts'
import type { Run, RunSummary } from '../../../../../shared/model/run.ts'
import { localDay } from '../../../../../shared/text/local-time.ts'
import { removal } from '../../../../../system/file-moves.ts'
import type { Log, Clock, Ids } from '../../../../deps.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import { writeFileBy, type FileWriter } from '../../../../platform/export-files/file-writer.ts'
import { textsIn } from '../../../../platform/export-files/vectors/texts.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import { addGeneratedFile, withFile } from '../../../../platform/files/generated-file.ts'
import type { Operation } from '../../../../operations/operation.ts'
import type { StoredReply } from '../../../../library-database/types.ts'
import type { Store } from '../../../../library-database/store.ts'
import { viewOf as remoteItemView } from '../remote-items/reader.ts'
import { viewOf as taskView } from '../tasks/tasks.ts'
import { leftUnfinished } from '../../../../runs/run-end.ts'
import { execute, type ExecuteDeps, type Started } from './execute.ts'
import { jsonText } from './json-text.ts'
import { saveOutputs } from './outputs.ts'
import { createRunningRuns } from '../../../../runs/running-runs.ts'
import { runTitle, shownTitle } from '../../../../runs/run-title.ts'

/** The requesting connection, and its stream for events. */
interface StreamClient {
  readonly connectionId: string
  readonly streamId: string
}

/** Runs of operations that pages request: each is a row from the start, with all its results. */
export interface Runs {
  /** All operations, with the fields of their input. */
  operations(): Promise<readonly OperationInfo[]>
  /** Throws BAD_REQUEST for an invalid operation or input, NOT_FOUND for unknown accounts and files. */
  start(
    request: {
      operation: string
      input: Readonly<Record<string, unknown>>
      accountId?: string | undefined
      title?: string | undefined
    },
    client: StreamClient,
  ): Promise<RunSummary>
  get(id: string): Run
  list(query: Parameters<Store['runs']['list']>[0]): ReturnType<Store['runs']['list']>
  events: Store['runs']['events']
  raw: Store['runs']['reply']
  /** Stops a run; resolves when it has ended, after at most two seconds. */
  cancel(id: string): Promise<RunSummary>
  remove(ids: readonly string[]): Promise<void>
  rename(id: string, title: string): RunSummary
  /** Throws NOT_FOUND if nothing matches. */
  export(wanted: RunsExport): Promise<ExportedRuns>
  /** Marks runs that an earlier process left unfinished as broken; their results are preserved. */
  resume(): void
  busy(): boolean
  /** Aborts running runs, which end as `broken`. */
  shutdown(): Promise<void>
  /** Stops everything permanently, before all data is erased. */
  stopAll(): Promise<void>
}

/** Dependencies of runs. */
interface RunsDeps extends Omit<ExecuteDeps, 'closing'>, Pick<Context, 'emit'> {
  /** The data folder. */
  readonly home: string
  activeAccountId(): string
}

/** Creates the runs. The table of operations is loaded at the first run, to keep startup fast. */
export function createRuns(deps: RunsDeps): Runs {
  const { store, clock, ids } = deps
  const underWay = createRunningRuns(deps.log, 'a run')
  const { closing, stop } = underWay
  const folder = join(deps.home, 'runs')
  /** Resolves when outputs of an earlier process are imported: nothing is started before. */
  let rescued: Promise<void> = Promise.resolve()

  const must = (id: string): RunSummary => {
    const run = store.runs.summary(id)
    if (!run) throw new AppError('NOT_FOUND', 'Run not found')
    return run
  }

  const launch = (started: Started): void =>
    underWay.launch(started.run.id, (signal) => execute({ ...deps, closing }, started, signal))

  return {
    async operations() {
      const { operations } = await import('../../../../operations/index.ts')
      const { operationInfo } = await import('../../../../operations/describe.ts')
      return Object.entries(operations).map(([name, each]) => operationInfo(name, each))
    },
    async start({ operation: name, input, accountId, title }, client) {
      const { operationOf, parseInput } = await table()
      await rescued
      const operation = operationOf(name)
      if (!operation)
        throw new AppError('BAD_REQUEST', 'Operation not found', {
          params: { what: 'operation' },
        })
      parseInput(operation.input, input)
      const account = store.accounts.get(accountId ?? deps.activeAccountId())
      if (!account) throw new AppError('NOT_FOUND', 'Account not found')
      if (deps.hub.has(client.streamId))
        throw new AppError('REFUSED', 'The stream ID is already in use')
      const media = filesOf(operation, input).map((id) => {
        const known = store.media.get(id)
        if (!known) throw new AppError('FILE_MISSING', 'File not found')
        return known
      })
      const run = {
        id: ids(),
        accountId: account.id,
        accountName: account.name,
        operation: name,
        title: shownTitle(title ?? '') || runTitle(name, input, media[0]?.name ?? null),
        streamId: client.streamId,
        input,
        mediaIds: media.map((each) => each.id),
        at: clock(),
      }
      store.runs.create(run)
      const writer = deps.hub.open(client.streamId, { connectionIds: [client.connectionId] })
      launch({ run, operation, writer, folder: join(folder, run.id) })
      const summary = must(run.id)
      deps.onRun(summary)
      return summary
    },
    get(id) {
      const run = store.runs.get(id)
      if (!run) throw new AppError('NOT_FOUND', 'Run not found')
      return run
    },
    list: (query) => store.runs.list(query),
    events: (id, from, limit) => store.runs.events(id, from, limit),
    raw: (id) => store.runs.reply(id),
    async cancel(id) {
      must(id)
      await stop(id)
      return must(id)
    },
    async remove(wanted) {
      await Promise.all(wanted.map(stop))
      if (wanted.some((id) => underWay.has(id)))
        throw new AppError('REFUSED', 'The run is still being stopped', { retriable: true })
      const unused = store.runs.remove(wanted)
      deps.emit({ type: 'runs.removed', ids: wanted })
      // The rows are deleted, and with them the runs; a leftover file is not reported as a failure.
      for (const id of unused)
        await deps.files
          .remove(id)
          .catch((error: unknown) => deps.log.warn('failed to remove a file of a run', { error }))
    },
    rename(id, title) {
      must(id)
      const shown = shownTitle(title)
      if (shown === '')
        throw new AppError('BAD_REQUEST', 'A title needs at least one visible character')
      const run = store.runs.rename(id, shown, clock())
      deps.onRun(run)
      return run
    },
    export: (wanted) => exportRuns(deps, wanted),
    resume() {
      for (const id of store.runs.unfinished()) {
        if (underWay.has(id)) continue
        const at = clock()
        const error = toFailure(leftUnfinished(), at)
        deps.onRun(store.runs.finish(id, { state: 'broken', at, error }))
      }
      rescued = rescued.then(() => rescueOutputs(deps, folder, (id) => underWay.has(id)))
    },
    busy: underWay.busy,
    shutdown: underWay.shutdown,
    async stopAll() {
      await Promise.all([rescued, underWay.stopAll()])
    },
  }
}

async function table() {
  const [{ operationOf }, { parseInput }] = await Promise.all([
    import('../../../../operations/index.ts'),
    import('../../../../operations/operation.ts'),
  ])
  return { operationOf, parseInput }
}

/** The media IDs in an input. */
function filesOf(operation: Operation, input: Readonly<Record<string, unknown>>): string[] {
  const named = operation.takes.flatMap((field) => input[field] ?? [])
  return [...new Set(named.filter((id) => typeof id === 'string'))]
}

interface RescueDeps {
  readonly store: Pick<Store, 'runs'>
  readonly files: Pick<MediaFiles, 'intake'>
  readonly log: Log
  onRun(run: RunSummary): void
}

/**
 * Imports outputs that runs had written but could not save: a full disk, or the end of the process. Folders of runs that no
 * longer exist are removed; folders whose files still cannot be saved stay. `isActive` identifies runs that still write. Throws
 * nothing.
 */
async function rescueOutputs(
  { store, files, log, onRun }: RescueDeps,
  folder: string,
  isActive: (id: string) => boolean,
): Promise<void> {
  const ids = await readdir(folder).catch((): string[] => [])
  for (const id of ids) {
    if (isActive(id)) continue
    const from = join(folder, id)
    try {
      if (store.runs.summary(id)) {
        const taken = await saveOutputs(from, files)
        if (taken.length > 0) onRun(store.runs.keepFiles(id, taken))
      }
      await rm(from, removal)
    } catch (error) {
      log.warn('failed to save the files of a run, will retry', { error })
    }
  }
}

/** Dependencies of exports. */
interface RunExportDeps {
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
interface ExportedRuns {
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
async function exportRuns(deps: RunExportDeps, wanted: RunsExport): Promise<ExportedRuns> {
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
