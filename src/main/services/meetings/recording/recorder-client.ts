import type { CaptureEvent } from '../../../../shared/model/meeting.ts'
import type { Log } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type {
  RecorderAnswer,
  RecorderReply,
  RecorderRequest,
  RecorderSettings,
} from '../../../audio/recorder-messages.ts'
import type { SessionSummary } from '../../../audio/repair.ts'
import type { SessionHead } from '../../../audio/session-files.ts'
import { fromFileSystem } from '../../../store/file-errors.ts'
import { createWorkerClient } from '../../../workers/client.ts'
import type { Block } from './block.ts'

/** A session as the recorder knows it. */
export interface Session {
  readonly folder: string
  readonly head: SessionHead
}

/** The recorder beside the main thread. Throws DISK_FULL, READ_ONLY, or ENGINE_UNAVAILABLE when it cannot be kept alive. */
export interface RecorderClient {
  open(session: Session): Promise<RecorderAnswer>
  write(session: Session, block: Block): Promise<RecorderAnswer>
  event(session: Session, event: CaptureEvent): Promise<RecorderAnswer>
  close(session: Session): Promise<RecorderAnswer>
  /** What lies in a session's folder; null when it holds none. */
  describe(folder: string): Promise<SessionSummary | null>
  end(): Promise<void>
}

/** How the recorder's program is started. */
export interface RecorderOptions {
  readonly url: URL
  readonly settings: RecorderSettings
  readonly log: Log
}

const startWorker = ({ url, settings }: Omit<RecorderOptions, 'log'>) =>
  createWorkerClient<RecorderRequest, RecorderReply>({ url, name: 'Recorder', data: settings })

/**
 * Starts the recorder at its first session. When its thread is lost, a session is opened again where its sound on the disk ends, and
 * what was asked is asked once more: blocks that were written already are left out by the frame they begin at.
 */
export function createRecorderClient(options: RecorderOptions): RecorderClient {
  const worker = startWorker(options)

  async function ask(request: RecorderRequest): Promise<RecorderAnswer> {
    const answer = await worker.call(request)
    if (answer && 'wanted' in answer) return answer
    throw new AppError('ENGINE_UNAVAILABLE', 'The recorder gave another answer')
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
      options.log.warn('the recorder is opened again', { id: session.head.id, error })
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

/** A thread of its own for repairs: a long one must not keep a new recording waiting. */
export function createRepairer(url: URL) {
  const worker = startWorker({ url, settings: { reserveBytes: 0 } })
  return {
    /** Null when the folder holds no session. */
    async repair(folder: string): Promise<SessionSummary | null> {
      const answer = await worker.call({ type: 'repair', folder }).catch((error: unknown) => {
        throw fromDisk(error)
      })
      return answer && 'head' in answer ? answer : null
    },
    end: () => worker.close(),
  }
}

/** What the disk said in the thread, as the app's own error. */
function fromDisk(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const known = fromFileSystem(error.cause)
  return known instanceof AppError ? known : error
}
