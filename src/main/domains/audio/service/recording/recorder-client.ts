import type { CaptureEvent } from '../../../../../shared/model/meeting.ts'
import type { Log } from '../../../../deps.ts'
import { AppError } from '../../../../errors.ts'
import type {
  RecorderAnswer,
  RecorderReply,
  RecorderRequest,
  RecorderSettings,
} from '../../worker/recorder-messages.ts'
import type { SessionSummary } from '../../worker/repair.ts'
import type { SessionHead } from '../../../../platform/audio/session-files.ts'
import { fromFileSystem } from '../../../../platform/database/file-errors.ts'
import { createWorkerClient } from '../../../../platform/workers/client.ts'
import type { Block } from './block.ts'

/** A session as known to the recorder. */
export interface Session {
  readonly folder: string
  readonly head: SessionHead
}

/** Client of the recorder off the main thread. Throws DISK_FULL, READ_ONLY, or ENGINE_UNAVAILABLE if it cannot be restarted. */
export interface RecorderClient {
  open(session: Session): Promise<RecorderAnswer>
  write(session: Session, block: Block): Promise<RecorderAnswer>
  event(session: Session, event: CaptureEvent): Promise<RecorderAnswer>
  close(session: Session): Promise<RecorderAnswer>
  /** Describes the session in a folder; null if it contains none. */
  describe(folder: string): Promise<SessionSummary | null>
  end(): Promise<void>
}

/** Start options of the recorder's program. */
export interface RecorderOptions {
  readonly url: URL
  readonly settings: RecorderSettings
  readonly log: Log
}

const startWorker = ({ url, settings }: Omit<RecorderOptions, 'log'>) =>
  createWorkerClient<RecorderRequest, RecorderReply>({ url, name: 'Recorder', data: settings })

/**
 * Starts the recorder with its first session. If its thread crashes, a session is opened again at the end of its audio on disk,
 * and the request is sent again: blocks that were already written are recognized by their first frame and skipped.
 */
export function createRecorderClient(options: RecorderOptions): RecorderClient {
  const worker = startWorker(options)

  async function ask(request: RecorderRequest): Promise<RecorderAnswer> {
    const answer = await worker.call(request)
    if (answer && 'wanted' in answer) return answer
    throw new AppError('ENGINE_UNAVAILABLE', 'The recorder gave an unexpected response')
  }

  const open = ({ folder, head }: Session): Promise<RecorderAnswer> =>
    ask({ type: 'open', folder, head }).catch((error: unknown) => {
      throw fromDisk(error)
    })

  async function requestOrReopen(
    session: Session,
    request: RecorderRequest,
  ): Promise<RecorderAnswer> {
    try {
      return await ask(request)
    } catch (error) {
      const reason = fromDisk(error)
      if (!(reason instanceof AppError) || reason.code !== 'ENGINE_UNAVAILABLE') throw reason
      options.log.warn('reopening the recorder', { id: session.head.id, error })
      await open(session)
      return await ask(request).catch((again: unknown) => {
        throw fromDisk(again)
      })
    }
  }

  return {
    open,
    write: (session, block) =>
      requestOrReopen(session, { type: 'write', folder: session.folder, ...block }),
    event: (session, event) =>
      requestOrReopen(session, { type: 'event', folder: session.folder, event }),
    close: (session) => requestOrReopen(session, { type: 'close', folder: session.folder }),
    async describe(folder) {
      const answer = await worker.call({ type: 'describe', folder })
      return answer && 'head' in answer ? answer : null
    },
    end: () => worker.close(),
  }
}

/** A separate thread for repairs: a long one must not delay a new recording. */
export function createRepairer(url: URL) {
  const worker = startWorker({ url, settings: { reserveBytes: 0 } })
  return {
    /** Null if the folder contains no session. */
    async repair(folder: string): Promise<SessionSummary | null> {
      const answer = await worker.call({ type: 'repair', folder }).catch((error: unknown) => {
        throw fromDisk(error)
      })
      return answer && 'head' in answer ? answer : null
    },
    end: () => worker.close(),
  }
}

/** Converts a disk error of the thread to an AppError. */
function fromDisk(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const known = fromFileSystem(error.cause)
  return known instanceof AppError ? known : error
}
