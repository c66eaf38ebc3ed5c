import { rm } from 'node:fs/promises'
import { removal } from '../../../system/file-moves.ts'
import type { Log, WorkerUrl } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { errorOf } from '../../audio/failed.ts'
import type { AudioAnswer, AudioRequest } from '../../audio/audio-messages.ts'
import { createWorkerClient, type WorkerClient } from '../../workers/client.ts'
import type { FolderOf, AudioWork } from './parts.ts'

/** What reading, cutting and writing sound is built from. */
export interface AudioWorkDeps {
  readonly workerUrl: WorkerUrl
  readonly folderOf: FolderOf
  readonly log: Log
}

/** Seconds of sound in one step: fractions of a second of work, after which others have their turn. */
const stepSeconds = 60

/** Milliseconds after which a program that does not answer is ended: a step takes a second or two. */
const maxStepMs = 60_000

/** How often a file is begun anew after the program broke: once may be chance, twice is the file. */
const tries = 2

type Client = WorkerClient<AudioRequest, AudioAnswer>
type Answer = Exclude<AudioAnswer, { type: 'failed' }>

/**
 * Two programs beside the main thread: one reads files in and writes them, the other cuts pieces, so that what is heard live never
 * waits for a file. A file that breaks its program fails alone: the program starts anew, and other files with it.
 */
export function createAudioWork({ workerUrl, folderOf, log }: AudioWorkDeps): AudioWork {
  const start = (name: string): Client =>
    createWorkerClient({ url: workerUrl('audio'), name, timeoutMs: maxStepMs })
  const files = start('Sound files')
  const segmentReader = start('Sound pieces')
  let jobs = 0

  // One step at a time, in the order they were asked for: who breaks the program is then known, and nobody waits for a whole file.
  let last: Promise<unknown> = Promise.resolve()
  function step(request: AudioRequest): Promise<Answer> {
    const turn = last.then(() => ask(files, request))
    last = turn.catch(() => undefined)
    return turn
  }

  /** All steps of a job; begun anew when the program was, by another's fault or, up to a number of times, its own. */
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
          if (answer.type !== 'progress') throw new Error(`An answer of type ${answer.type}`)
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
        log.warn('the sound program broke', { broke, message: error.message })
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
        throw new AppError('DAMAGED_FILE', 'The decoder broke over this file', { cause: error })
      }
    },

    async extractSegment(id, channel, span) {
      const answer = await ask(segmentReader, { type: 'piece', folder: folderOf(id), channel, span })
      if (answer.type !== 'piece') throw new Error(`An answer of type ${answer.type}`)
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

/** The program died, hung, or met what it did not expect. */
const isBreak = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'ENGINE_UNAVAILABLE' || error.code === 'TIMEOUT')

const cancelled = (): AppError => new AppError('CANCELLED', 'Stopped before it was done')

function stopIf(signal: AbortSignal): void {
  if (signal.aborted) throw cancelled()
}
