import type { RunSummary } from '../../../shared/model/run.ts'
import type { Api } from '../../api/types.ts'
import type { StreamHub, StreamWriter } from '../../bridge/streams.ts'
import type { Clock, Ids, Log } from '../../deps.ts'
import { AppError, toFailure } from '../../errors.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { InputFile, Operation } from '../../operations/operation.ts'
import type { NewRun, Store } from '../../store/types.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { persist } from '../transcribe/persist.ts'
import { endBadly, endWell } from './end.ts'
import type { Ending } from './end.ts'
import { createEventLog } from './event-log.ts'
import { createOutputs } from './outputs.ts'
import { packReply } from './pack.ts'

/** What running needs. */
export interface ExecuteDeps {
  readonly api: Api
  readonly store: Store
  readonly files: MediaFiles
  /** Pages of a PDF; null when they cannot be told. */
  countPages(path: string): Promise<number | null>
  readonly accounts: Accounts
  readonly hub: StreamHub
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Fires when Lectern closes. */
  readonly closing: AbortSignal
  onRun(run: RunSummary): void
}

/** A run whose row was made. */
export interface Started {
  readonly run: NewRun
  readonly operation: Operation
  readonly writer: StreamWriter
  /** Where it may write files. */
  readonly folder: string
}

/** Lets everything else go on: what is long is written in steps. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Runs an operation to an end that is stored, and then told. Its stream ends whatever happens. */
export async function execute(
  deps: ExecuteDeps,
  { run, operation, writer, folder }: Started,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock } = deps
  const trouble = (error: AppError): void =>
    deps.log.warn('the store does not take a run now', { code: error.code })
  const events = createEventLog({
    store: (batch) => store.runs.append(run.id, batch),
    tell: (batch) => writer.events(batch),
    onTrouble: trouble,
  })
  const outputs = createOutputs(folder, deps.files)

  const call = async (): Promise<Ending> => {
    const target = await deps.accounts.target(run.accountId)
    signal.throwIfAborted()
    const answer = await operation.run(
      {
        api: deps.api,
        target,
        signal,
        file: (id) => mediaFile(deps, id),
        output: (name) => outputs.path(name),
        onEvent: (event) => events.add(event),
      },
      run.input,
    )
    return endWell(answer, await outputs.keep(), clock())
  }

  const write = <T>(work: () => T): Promise<T> => persist(work, deps.closing, trouble)

  try {
    const { end, value, raw } = await call().catch((error: unknown) => {
      if (!(error instanceof AppError) && !signal.aborted) deps.log.error('a run failed', { error })
      const stopped = signal.aborted ? (deps.closing.aborted ? 'closing' : 'user') : 'nobody'
      return endBadly(error, stopped, clock())
    })
    await events.settle(deps.closing)
    const reply = await packReply(raw)
    if (reply) await write(() => store.runs.keepReply(run.id, reply))
    await turn()
    if (value !== null) await write(() => store.runs.keepValue(run.id, value))
    await turn()
    const summary = await write(() => store.runs.finish(run.id, end))
    if (end.error) writer.fail(end.error)
    else writer.end('')
    deps.onRun(summary)
  } catch (error) {
    writer.fail(toFailure(error, clock()))
    throw error
  } finally {
    await outputs.clear().catch(() => undefined)
  }
}

async function mediaFile(
  { store, files, countPages }: Pick<ExecuteDeps, 'store' | 'files' | 'countPages'>,
  id: string,
): Promise<InputFile> {
  const media = store.media.get(id)
  if (!media) throw new AppError('FILE_MISSING', 'The file is gone')
  const { inputFile } = await import('../../operations/input-file.ts')
  return inputFile(await files.path(id), countPages, media.name)
}
