import { rm } from 'node:fs/promises'
import { removal } from '../../../../system/file-moves.ts'
import type { Log, WorkerUrl } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { errorOf } from '../../../platform/workers/failed.ts'
import type { AudioAnswer, AudioRequest } from '../../../platform/audio/audio-messages.ts'
import { createWorkerClient, type WorkerClient } from '../../../platform/workers/client.ts'
import type { ChannelRole, Span } from '../../../../shared/model/meeting.ts'

/** Returns the folder of a meeting's audio. */
export type FolderOf = (id: string) => string

/** Imports files and cuts audio off the main thread. */
export interface AudioWork {
  /**
   * Imports a file into a session, in steps; `onStep` gets the milliseconds done. Throws the reader's AppErrors; CANCELLED by the
   * signal.
   */
  readIn(
    job: {
      readonly id: string
      readonly title: string
      readonly path: string
      readonly channels: 'auto' | 'split' | 'mix'
    },
    on: {
      opened(audio: {
        readonly roles: readonly ChannelRole[]
        readonly sampleRate: number
        readonly seconds: number | null
      }): void
      step(doneMs: number): void
    },
    signal: AbortSignal,
  ): Promise<{ readonly durationMs: number }>
  /** A range at 16 kHz as a wav file of one channel. */
  extractSegment(id: string, channel: number | 'mix', span: Span): Promise<Uint8Array>
  /** Writes audio to a new file. */
  writeAudio(
    request: {
      readonly id: string
      readonly to: string
      readonly format: 'wav' | 'mp3'
      readonly channel: number | 'both' | 'mix'
      readonly range: Span | null
    },
    signal: AbortSignal,
  ): Promise<void>
  close(): Promise<void>
}

/** Dependencies of reading, cutting and writing audio. */
interface AudioWorkDeps {
  readonly workerUrl: WorkerUrl
  readonly folderOf: FolderOf
  readonly log: Log
}

/** Seconds of audio in one step: a fraction of a second of work, after which other jobs get their turn. */
const stepSeconds = 60

/** Milliseconds after which an unresponsive program is ended: a step takes a second or two. */
const maxStepMs = 60_000

/** Number of restarts of a file after the program crashed: once may be chance, twice is caused by the file. */
const tries = 2

type Client = WorkerClient<AudioRequest, AudioAnswer>
type Answer = Exclude<AudioAnswer, { type: 'failed' }>

/**
 * Two programs off the main thread: one imports and writes files, the other cuts segments, so that live transcription never
 * waits for a file. A file that crashes its program fails alone: the program restarts and continues with the other files.
 */
export function createAudioWork({ workerUrl, folderOf, log }: AudioWorkDeps): AudioWork {
  const start = (name: string): Client =>
    createWorkerClient({ url: workerUrl('audio'), name, timeoutMs: maxStepMs })
  const files = start('Audio files')
  const segmentReader = start('Audio segments')
  let jobs = 0

  // One step at a time, in the order requested: this identifies the file that crashes the program, and no job waits for a whole
  // file.
  let last: Promise<unknown> = Promise.resolve()
  function step(request: AudioRequest): Promise<Answer> {
    const turn = last.then(() => ask(files, request))
    last = turn.catch(() => undefined)
    return turn
  }

  /**
   * Runs all steps of a job; starts over if the program restarted, because of another job or, up to a limit, because of this one.
   */
  async function through(
    begin: Extract<AudioRequest, { type: 'open' | 'write' }>,
    on: { opened?(answer: Answer): void; step?(doneMs: number): void },
    signal: AbortSignal,
  ): Promise<number> {
    const { job } = begin
    let broke = 0
    for (;;) {
      try {
        stopIf(signal)
        const opened = await step(begin)
        on.opened?.(opened)
        for (;;) {
          stopIf(signal)
          const answer = await step({ type: 'more', job, seconds: stepSeconds })
          if (answer.type === 'unknown') break
          if (answer.type !== 'progress')
            throw new Error(`Unexpected response of type ${answer.type}`)
          on.step?.(answer.doneMs)
          if (answer.done) return answer.doneMs
        }
      } catch (error) {
        if (signal.aborted) {
          await step({ type: 'abandon', job }).catch(() => undefined)
          throw cancelled()
        }
        if (!isBreak(error)) throw error
        broke += 1
        log.warn('audio worker failed', { broke, message: error.message })
        if (broke >= tries) throw error
      }
    }
  }

  return {
    async readIn(job, on, signal) {
      const folder = folderOf(job.id)
      let reported = false
      try {
        const durationMs = await through(
          { type: 'open', job: `read ${job.id}`, folder, ...job },
          {
            opened(answer) {
              if (answer.type !== 'opened' || reported) return
              reported = true
              on.opened(answer)
            },
            step: (doneMs) => on.step(doneMs),
          },
          signal,
        )
        return { durationMs }
      } catch (error) {
        if (!isBreak(error)) throw error
        await rm(folder, removal)
        throw new AppError('DAMAGED_FILE', 'The decoder crashed on this file', { cause: error })
      }
    },

    async extractSegment(id, channel, span) {
      const answer = await ask(segmentReader, {
        type: 'piece',
        folder: folderOf(id),
        channel,
        span,
      })
      if (answer.type !== 'piece') throw new Error(`Unexpected response of type ${answer.type}`)
      return answer.bytes
    },

    async writeAudio({ id, ...request }, signal) {
      jobs += 1
      const job = `write ${jobs}`
      await through({ type: 'write', job, folder: folderOf(id), ...request }, {}, signal)
    },

    async close() {
      await Promise.all([files.close(), segmentReader.close()])
    },
  }
}

async function ask(client: Client, request: AudioRequest): Promise<Answer> {
  const answer = await client.call(request)
  if (answer.type !== 'failed') return answer
  throw errorOf(answer)
}

/** Whether the program crashed, hung, or met an unexpected error. */
const isBreak = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'ENGINE_UNAVAILABLE' || error.code === 'TIMEOUT')

const cancelled = (): AppError => new AppError('CANCELLED', 'Stopped before it was finished')

function stopIf(signal: AbortSignal): void {
  if (signal.aborted) throw cancelled()
}
