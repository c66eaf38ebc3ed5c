import { join } from 'node:path'
import type { RunsExport } from '../../../shared/bridge/runs.ts'
import type { OperationInfo } from '../../../shared/model/operation.ts'
import type { Run, RunSummary } from '../../../shared/model/run.ts'
import { AppError, toFailure } from '../../errors.ts'
import type { Operation } from '../../operations/operation.ts'
import type { Store } from '../../store/types.ts'
import { leftUnfinished } from './end.ts'
import { execute } from './execute.ts'
import { exportRuns, type ExportedRuns } from './export.ts'
import type { ExecuteDeps, Started } from './execute.ts'
import { rescueOutputs } from './recover-outputs.ts'
import { runTitle, shownTitle } from './title.ts'
import { createRunningRuns } from './running-runs.ts'

/** The requesting connection, and its stream for events. */
export interface StreamClient {
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
export interface RunsDeps extends Omit<ExecuteDeps, 'closing'> {
  /** The data folder. */
  readonly home: string
  activeAccountId(): string
  onRemoved(ids: readonly string[]): void
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
      const { operations } = await import('../../operations/index.ts')
      const { operationInfo } = await import('../../operations/describe.ts')
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
      deps.onRemoved(wanted)
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
    import('../../operations/index.ts'),
    import('../../operations/operation.ts'),
  ])
  return { operationOf, parseInput }
}

/** The media IDs in an input. */
function filesOf(operation: Operation, input: Readonly<Record<string, unknown>>): string[] {
  const named = operation.takes.flatMap((field) => input[field] ?? [])
  return [...new Set(named.filter((id) => typeof id === 'string'))]
}
