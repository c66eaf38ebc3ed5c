import { mkdir, rm } from 'node:fs/promises'
import { removal } from '../../../../../system/file-moves.ts'
import type { CaptureReply } from '../../../../../shared/contract/transport.ts'
import {
  type CaptureEvent,
  type ChannelRole,
  type Gap,
  wholeMs,
} from '../../../../../shared/model/meeting.ts'
import type { Clock, Log, WorkerUrl } from '../../../../deps.ts'
import { AppError } from '../../../../errors.ts'
import { treeBytes } from '../../../../platform/files/tree-bytes.ts'
import { createTurns } from '../../../../platform/files/intake-queue.ts'
import { frameBytesOf } from '../../../../../shared/audio/wave-header.ts'
import type {
  RecorderAnswer,
  RecorderReply,
  RecorderRequest,
  RecorderSettings,
} from '../../worker/recorder-messages.ts'
import {
  type SessionHead,
  listPartsSoon,
  readHead,
  sessionFolder,
  sessionsFolder,
  totalFrames,
} from '../../../../platform/audio/session-files.ts'
import { answerCapture, readBlock, type Block } from './block.ts'
import { type RecoveredSession, recoverSessions } from './recover.ts'
import { respondWithSession } from './respond.ts'
import { isOwned, showLife } from './session-heartbeat.ts'
import type { SessionSummary } from '../../worker/repair.ts'
import { fromFileSystem } from '../../../../platform/database/file-errors.ts'
import { createWorkerClient } from '../../../../platform/workers/client.ts'

/** Progress of a live session, reported about once a second. */
export interface CaptureProgress {
  readonly id: string
  readonly writtenMs: number
  readonly levels: readonly {
    readonly peak: number
    readonly rms: number
    readonly zero: boolean
  }[]
  readonly freeBytes: number | null
  /** Whether the disk reserve was reached: the session is closed, and playable. */
  readonly full: boolean
}

/** Writes live audio, preserves it across crashes, and serves it. Waits only for the disk. */
export interface Capture {
  /** Throws DISK_FULL if less than the reserve is free. */
  begin(session: {
    readonly id: string
    readonly title: string
    readonly roles: readonly ChannelRole[]
    readonly sampleRate: number
    readonly labels: readonly string[]
    readonly startedAt: number
  }): Promise<void>
  /** Continues a session of an earlier run after its existing audio. Throws NOT_FOUND; REFUSED if a running process writes it. */
  reopen(id: string): Promise<void>
  /** Handles `PUT /capture/<id>`. */
  take(request: Request, id: string): Promise<Response>
  event(id: string, event: CaptureEvent): Promise<void>
  /** Closes the session; resolves with its length. If it is already closed, returns its length again. */
  stop(id: string): Promise<{ readonly writtenMs: number }>
  /** The gaps of a session from its journal: those that were reported, and those its writer filled. */
  gaps(id: string): Promise<readonly Omit<Gap, 'id'>[]>
  isLive(id: string): boolean
  /**
   * Repairs sessions that earlier runs left open, and reports closed sessions without a row: it was never written, or lost with
   * the library. Idempotent; deletes nothing; skips sessions that a running process owns.
   */
  recover(isListed?: (id: string) => boolean): Promise<readonly RecoveredSession[]>
  /** Serves `meeting-<id>` (the whole audio as one wav file, with Range support) and `peaks-<id>` below the media address. */
  respond(request: Request, name: string): Promise<Response>
  /** Size of all sessions on disk in bytes. */
  bytes(): Promise<number>
  remove(ids: readonly string[]): Promise<void>
  erase(): Promise<void>
  /** Closes live sessions cleanly. */
  shutdown(): Promise<void>
}

/** Dependencies of capturing. */
export interface CaptureDeps {
  readonly home: string
  readonly workerUrl: WorkerUrl
  readonly clock: Clock
  readonly log: Log
  /** ID of this run of the app; sessions store it as their owner. */
  readonly run: string
  redact(text: string): string
  onProgress(progress: CaptureProgress): void
  /** Bytes that must stay free on the disk; defaults to 300 MB. */
  readonly reserveBytes?: number
  /** Seconds of audio in a part; defaults to ten minutes. */
  readonly partSeconds?: number
}

/** A session that is being written. */
interface Live {
  readonly head: SessionHead
  readonly folder: string
  readonly progress: Progress
  /** Aborts requests that are still being received for it. */
  readonly over: AbortController
}

/** Maximum number of live sessions: each keeps files open, and users do not have more microphones. */
const maxSessions = 8
/** Milliseconds that a block in transit has left when its recording is to end. */
const lastBlockMs = 500

/** Rejects events that are impossible for this recording: they would be saved in its journal and return with every repair. */
function checkEvent({ roles }: SessionHead, event: CaptureEvent): void {
  const { channel = null } = 'channel' in event ? event : {}
  const backwards = event.type === 'gap' && event.endMs <= event.atMs
  if (backwards || (channel !== null && channel >= roles.length))
    throw new AppError('BAD_REQUEST', 'The event is not possible for this recording')
}

/** Creates capture: writes live audio to disk and serves it. All sessions are in `home/meetings`. */
export function createCapture(deps: CaptureDeps): Capture {
  const { home, clock, log, run, reserveBytes = 300 * 1024 * 1024 } = deps
  const url = deps.workerUrl('recorder')
  const recorder = createRecorderClient({
    url,
    log,
    settings: { reserveBytes, ...(deps.partSeconds && { partSeconds: deps.partSeconds }) },
  })
  const live = new Map<string, Live>()
  let opening = 0
  const life = showLife(() => [...live.values()].map(({ folder }) => folder))
  // One block of a session at a time: the next body is read after the previous one is written, so that none pile up.
  const inTurn = createTurns()
  const toMs = (frames: number, { sampleRate }: SessionHead): number => wholeMs(frames, sampleRate)

  function need(id: string): Live {
    const session = live.get(id)
    if (session) return session
    if (!readHead(sessionFolder(home, id))) throw new AppError('NOT_FOUND', 'Recording not found')
    throw new AppError('REFUSED', 'The recording is already finished')
  }

  function follow(id: string, session: Live, answer: RecorderAnswer): RecorderAnswer {
    if (answer.full) drop(id)
    const writtenMs = toMs(answer.frames, session.head)
    session.progress.add(writtenMs, answer)
    return answer
  }

  function drop(id: string): void {
    live.delete(id)
    if (live.size === 0) life.rest()
  }

  async function receiveBlock(request: Request, id: string): Promise<CaptureReply> {
    return inTurn(id, async () => {
      const session = need(id)
      const frameBytes = frameBytesOf({ channels: session.head.roles.length })
      const block = await readBlock(request, frameBytes, session.over.signal)
      // It may have been closed while the body was received.
      if (live.get(id) !== session)
        throw new AppError('REFUSED', 'The recording is already finished')
      const answer = await recorder.write(session, block)
      const { frames, wanted, full } = follow(id, session, answer)
      return { frames, wanted, full }
    })
  }

  async function stop(id: string): Promise<{ readonly writtenMs: number }> {
    const folder = sessionFolder(home, id)
    const ending = live.get(id)?.over
    const timer = setTimeout(() => ending?.abort(), lastBlockMs)
    return inTurn(id, async () => {
      clearTimeout(timer)
      const session = live.get(id)
      if (session) {
        drop(id)
        const { frames } = await recorder.close(session)
        return { writtenMs: toMs(frames, session.head) }
      }
      const head = readHead(folder)
      if (!head) throw new AppError('NOT_FOUND', 'Recording not found')
      const parts = await listPartsSoon(folder, frameBytesOf({ channels: head.roles.length }))
      return { writtenMs: toMs(totalFrames(parts), head) }
    })
  }

  /** Creates a session, or continues the one in its folder. */
  async function open(wanted: Parameters<Capture['begin']>[0]): Promise<void> {
    if (live.size + opening >= maxSessions)
      throw new AppError('REFUSED', `Up to ${maxSessions} recordings can run at the same time`)
    opening += 1
    try {
      const folder = sessionFolder(home, wanted.id)
      await mkdir(sessionsFolder(home), { recursive: true, mode: 0o700 })
      const head: SessionHead = {
        ...wanted,
        version: 1,
        state: 'open',
        owner: { pid: process.pid, run },
        frames: null,
      }
      const progress = createProgress(wanted.id, clock, deps.onProgress)
      await recorder.open({ folder, head })
      live.set(wanted.id, { folder, head, progress, over: new AbortController() })
      life.begin()
    } finally {
      opening -= 1
    }
  }

  const stopAll = async (): Promise<void> => {
    const ids = [...live.keys()]
    await Promise.all(
      ids.map((id) =>
        stop(id).catch((error: unknown) => log.error('failed to close a recording', { id, error })),
      ),
    )
  }

  return {
    stop,
    gaps: async (id) => (await recorder.describe(sessionFolder(home, id)))?.gaps ?? [],
    isLive: (id) => live.has(id),
    take: (request, id) =>
      answerCapture(() => receiveBlock(request, id), { clock, log, redact: deps.redact }),
    begin: open,
    reopen: (id) =>
      inTurn(id, async () => {
        if (live.has(id)) return
        const folder = sessionFolder(home, id)
        const head = readHead(folder)
        if (!head) throw new AppError('NOT_FOUND', 'Recording not found')
        if (head.state === 'open' && (await isOwned(folder, head, run)))
          throw new AppError('REFUSED', 'Another process is writing this recording')
        await open({ ...head, id })
      }),
    async event(id, event) {
      const session = need(id)
      checkEvent(session.head, event)
      follow(id, session, await recorder.event(session, event))
    },
    async recover(isListed = () => true) {
      const repairer = createRepairer(url)
      const repair = (at: string) => repairer.repair(at)
      try {
        return await recoverSessions(home, { run, log, repair, isListed })
      } finally {
        await repairer.end()
      }
    },
    respond: (request, name) => respondWithSession(request, home, name),
    bytes: () => treeBytes(sessionsFolder(home)),
    async remove(ids) {
      for (const id of ids) {
        const folder = sessionFolder(home, id)
        if (live.has(id)) await stop(id)
        // A player may keep one of its files open for a moment; remaining files would be listed again at the next start.
        await rm(folder, removal)
      }
    },
    async erase() {
      await stopAll()
      await rm(sessionsFolder(home), removal)
    },
    async shutdown() {
      await stopAll()
      await recorder.end()
    },
  }
}

/** Collects the responses of a session and reports progress. */
interface Progress {
  add(writtenMs: number, answer: RecorderAnswer): void
}

/** Milliseconds between two reports. */
const everyMs = 1000

/**
 * Reports a session's progress once a second while audio is received: levels cover all blocks since the last report, not just
 * one.
 */
function createProgress(
  id: string,
  clock: Clock,
  onProgress: (progress: CaptureProgress) => void,
): Progress {
  let reportedAt = clock()
  let blocks: RecorderAnswer['levels'][] = []

  return {
    add(writtenMs, { levels, freeBytes, full }) {
      blocks.push(levels)
      if (!full && Math.abs(clock() - reportedAt) < everyMs) return
      const gathered = levels.map((_, channel) =>
        gather(blocks.flatMap((each) => each[channel] ?? [])),
      )
      reportedAt = clock()
      blocks = []
      onProgress({ id, writtenMs, levels: gathered, freeBytes, full })
    },
  }
}

/** Combines levels; blocks are about equally long, so the mean of their energies is that of the whole. */
function gather(levels: RecorderAnswer['levels']): RecorderAnswer['levels'][number] {
  const energy = levels.reduce((sum, { rms }) => sum + rms * rms, 0) / Math.max(1, levels.length)
  return {
    peak: Math.max(0, ...levels.map(({ peak }) => peak)),
    rms: Math.sqrt(energy),
    zero: levels.every(({ zero }) => zero),
  }
}

/** A session as known to the recorder. */
interface Session {
  readonly folder: string
  readonly head: SessionHead
}

/** Client of the recorder off the main thread. Throws DISK_FULL, READ_ONLY, or ENGINE_UNAVAILABLE if it cannot be restarted. */
interface RecorderClient {
  open(session: Session): Promise<RecorderAnswer>
  write(session: Session, block: Block): Promise<RecorderAnswer>
  event(session: Session, event: CaptureEvent): Promise<RecorderAnswer>
  close(session: Session): Promise<RecorderAnswer>
  /** Describes the session in a folder; null if it contains none. */
  describe(folder: string): Promise<SessionSummary | null>
  end(): Promise<void>
}

/** Start options of the recorder's program. */
interface RecorderOptions {
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
function createRecorderClient(options: RecorderOptions): RecorderClient {
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
function createRepairer(url: URL) {
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
