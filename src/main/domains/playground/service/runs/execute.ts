import { rm } from 'node:fs/promises'
import { createStepBudget } from '../../../../../shared/chats/shown-answer.ts'
import type { RunSummary } from '../../../../../shared/model/run.ts'
import { withoutHalfKey } from '../../../../provider-client/masked-fragments.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { StreamHub, StreamWriter } from '../../../../platform/bridge/streams.ts'
import type { Clock, Ids, Log } from '../../../../deps.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import { removal } from '../../../../../system/file-moves.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import type { InputFile, Operation } from '../../../../operations/operation.ts'
import type { NewRun, RunEnd } from '../../../../library-database/types.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { Accounts } from '../../../settings/index.ts'
import type { RetryingWrite } from '../../../../platform/database/unsaved.ts'
import { endBadly, endWell } from '../../../../runs/run-end.ts'
import type { Ending } from '../../../../runs/run-end.ts'
import { createEventLog } from '../../../../runs/event-log.ts'
import { outputPath, saveOutputs } from './outputs.ts'
import { packReply } from '../../../../runs/pack-reply.ts'

/** Dependencies of running. */
export interface ExecuteDeps {
  readonly api: Api
  readonly store: Store
  readonly files: MediaFiles
  /** Number of pages of a PDF; null if they cannot be counted. */
  countPages(path: string): Promise<number | null>
  readonly accounts: Accounts
  readonly hub: StreamHub
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  /** Masks known keys in a text: joined chunks of a response are masked again before they are saved or reported. */
  mask(text: string): string
  /** Number of characters at the end of a text that may be the beginning of a key. */
  openEnd(text: string): number
  readonly keep: RetryingWrite
  /** Fires when Lectern closes. */
  readonly closing: AbortSignal
  onRun(run: RunSummary): void
}

/** A run whose row was created. */
export interface Started {
  readonly run: NewRun
  readonly operation: Operation
  readonly writer: StreamWriter
  /** Folder for its output files. */
  readonly folder: string
}

/** Operations whose values only join their events: the value of a long answer is shortened, and the events contain all of it. */
const answerOperations: ReadonlySet<string> = new Set(['agents.chat', 'assistants.chat'])

/** Yields to other work: long data is written in steps. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Runs an operation, stores its end, and then reports it. Its stream always ends. */
export async function execute(
  deps: ExecuteDeps,
  { run, operation, writer, folder }: Started,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock } = deps
  /** Fires when received data can no longer be saved. */
  const failing = new AbortController()
  const trouble = (error: AppError): void =>
    deps.log.warn('failed to save a run, will retry', { code: error.code })
  const events = createEventLog({
    store: (batch) => store.runs.append(run.id, batch),
    emit: (batch) => writer.events(batch),
    onTrouble: trouble,
    onBroken(error) {
      deps.log.error('failed to save the events of a run', { error })
      failing.abort(error)
    },
    mask: deps.mask,
  })

  const call = async (): Promise<Ending> => {
    const target = await deps.accounts.target(run.accountId)
    signal.throwIfAborted()
    const answer = await operation.run(
      {
        api: deps.api,
        target,
        signal: AbortSignal.any([signal, failing.signal]),
        file: (id) => mediaFile(deps, id),
        output: (name) => outputPath(folder, name),
        vectorsInFile: true,
        onEvent: (event) => events.add(event),
      },
      run.input,
    )
    return endWell(answer, clock(), deps.mask)
  }

  const write = <T>(work: () => T): Promise<T> => deps.keep(work, deps.closing)

  let filesSaved = false
  /** The end with the written files; those that cannot be saved now are imported at the next start. */
  const withFiles = async (end: RunEnd): Promise<RunEnd> => {
    try {
      const files = await deps.keep(() => saveOutputs(folder, deps.files), signal)
      filesSaved = true
      return { ...end, files }
    } catch (error) {
      deps.log.warn('failed to save the files of a run, will retry', { error })
      return end.error ? end : { ...end, state: 'failed', error: toFailure(error, clock()) }
    }
  }

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
    if (value !== null) {
      const isAnswer = answerOperations.has(run.operation)
      const budget = createStepBudget(undefined, (cut) => withoutHalfKey(deps, cut))
      const text = JSON.stringify(isAnswer ? budget.value(value) : value)
      await turn()
      const json = deps.mask(text)
      await write(() => store.runs.keepValue(run.id, json))
    }
    await turn()
    // Events that cannot be saved end a run, whatever else it returned.
    const broken = failing.signal.aborted && endBadly(failing.signal.reason, 'nobody', clock()).end
    const finished = await withFiles({ ...end, ...broken })
    const summary = await write(() => store.runs.finish(run.id, finished))
    if (finished.error) writer.fail(finished.error)
    else writer.end()
    deps.onRun(summary)
  } catch (error) {
    const failure = toFailure(error, clock())
    // If the store fails, the next start reads it and marks such runs as broken.
    const ended = await write(() =>
      store.runs.finish(run.id, { state: 'failed', at: clock(), error: failure }),
    ).catch(() => null)
    writer.fail(failure)
    if (ended) deps.onRun(ended)
    throw error
  } finally {
    if (filesSaved) await rm(folder, removal).catch(() => undefined)
  }
}

async function mediaFile(
  { store, files, countPages }: Pick<ExecuteDeps, 'store' | 'files' | 'countPages'>,
  id: string,
): Promise<InputFile> {
  const media = store.media.get(id)
  if (!media) throw new AppError('FILE_MISSING', 'The file no longer exists')
  const { inputFile } = await import('../../../../operations/input-file.ts')
  return inputFile(await files.path(id), countPages, media.name)
}
