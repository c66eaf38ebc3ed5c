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

/** Who asks, and under which stream it wants to follow. */
export interface StreamClient {
  readonly connectionId: string
  readonly streamId: string
}

/** Every operation a page asks for is a run: a row from the first moment, with all that comes of it. */
export interface Runs {
  /** Every operation there is, with the fields of its input. */
  operations(): Promise<readonly OperationInfo[]>
  /** Throws BAD_REQUEST for an operation or input that does not fit, NOT_FOUND for unknown accounts and files. */
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
  /** Stops a run; resolves when it is over, which takes two seconds at most. */
  cancel(id: string): Promise<RunSummary>
  remove(ids: readonly string[]): Promise<void>
  rename(id: string, title: string): RunSummary
  /** Throws NOT_FOUND where nothing fits. */
  export(wanted: RunsExport): Promise<ExportedRuns>
  /** Says of runs that an earlier process left unfinished that they are broken; what came of them is kept. */
  resume(): void
  busy(): boolean
  /** Aborts what runs: those runs end as `broken`. */
  shutdown(): Promise<void>
  /** Stops everything for good, before all is erased. */
  stopAll(): Promise<void>
}

/** What runs are built from. */
export interface RunsDeps extends Omit<ExecuteDeps, 'closing'> {
  /** The data folder. */
  readonly home: string
  activeAccountId(): string
  onRemoved(ids: readonly string[]): void
}

/** Builds the runs. The table of operations is loaded at the first run: start-up does not pay for it. */
export function createRuns(deps: RunsDeps): Runs {
  const { store, clock, ids } = deps
  const underWay = createRunningRuns(deps.log, 'a run')
  const { closing, stop } = underWay
  const folder = join(deps.home, 'runs')
  /** Over when what an earlier process had written is taken in: nothing is started before. */
  let rescued: Promise<void> = Promise.resolve()

  const must = (id: string): RunSummary => {
    const run = store.runs.summary(id)
    if (!run) throw new AppError('NOT_FOUND', 'There is no such run')
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
        throw new AppError('BAD_REQUEST', 'There is no such operation', {
          params: { what: 'operation' },
        })
      parseInput(operation.input, input)
      const account = store.accounts.get(accountId ?? deps.activeAccountId())
      if (!account) throw new AppError('NOT_FOUND', 'No such account')
      if (deps.hub.has(client.streamId)) throw new AppError('REFUSED', 'This stream id is taken')
      const media = filesOf(operation, input).map((id) => {
        const known = store.media.get(id)
        if (!known) throw new AppError('FILE_MISSING', 'There is no such file')
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
      if (!run) throw new AppError('NOT_FOUND', 'There is no such run')
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
      // The rows are gone, so the runs are; a file that stays behind is no reason to say otherwise.
      for (const id of unused)
        await deps.files
          .remove(id)
          .catch((error: unknown) => deps.log.warn('a file of a run is not removed', { error }))
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

/** The media ids an input refers to. */
function filesOf(operation: Operation, input: Readonly<Record<string, unknown>>): string[] {
  const named = operation.takes.flatMap((field) => input[field] ?? [])
  return [...new Set(named.filter((id) => typeof id === 'string'))]
}
