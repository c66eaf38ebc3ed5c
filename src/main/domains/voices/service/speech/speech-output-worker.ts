import type { WorkerUrl } from '../../../../deps.ts'
import { AppError } from '../../../../errors.ts'
import { errorOf } from '../../../../platform/workers/failed.ts'
import type { CheckClip } from '../../worker/speech-output/check-speech.ts'
import type { TakeAudio } from '../../worker/speech-output/inspect-audio.ts'
import type {
  SpeechOutputAnswer,
  SpeechOutputRequest,
} from '../../worker/speech-output/speech-output-program.ts'
import type { ExportWork, JoinWork, Written } from '../../worker/speech-output/write-audio.ts'
import { createWorkerClient } from '../../../../platform/workers/client.ts'

/** Worker that inspects, cuts and joins generated audio. */
export interface SpeechOutputWorker {
  /** Throws MALFORMED_REPLY, STREAM_CUT, UNSUPPORTED_FORMAT or DAMAGED_FILE if the audio is not complete. */
  inspect(path: string): Promise<TakeAudio>
  checkClips(path: string): Promise<readonly CheckClip[]>
  /** Returns the result of `cutText`. */
  cut(text: string, maxChars: number): Promise<Uint32Array>
  /**
   * Works in steps, between which other requests run. Throws CANCELLED when the signal fires; nothing is left behind then.
   */
  write(work: JoinWork | ExportWork, signal: AbortSignal): Promise<Written>
  close(): Promise<void>
}

/** Milliseconds after which a worker that does not respond is terminated: a step takes a second or two. */
const maxStepMs = 60_000

type Answer = Exclude<SpeechOutputAnswer, { type: 'failed' }>

/** Starts the worker with the first request. */
export function createSpeechOutputWorker(workerUrl: WorkerUrl): SpeechOutputWorker {
  const client = createWorkerClient<SpeechOutputRequest, SpeechOutputAnswer>({
    url: workerUrl('speech-output'),
    name: 'Speech audio',
    timeoutMs: maxStepMs,
  })
  let jobs = 0
  async function ask(request: SpeechOutputRequest): Promise<Answer> {
    const answer = await client.call(request)
    if (answer.type === 'failed') throw errorOf(answer)
    return answer
  }
  return {
    async inspect(path) {
      const answer = await ask({ type: 'inspect', path }).catch((error: unknown) => {
        // Flags lost between threads: incomplete audio may arrive completely the next time.
        if (!(error instanceof AppError) || error.code !== 'STREAM_CUT') throw error
        throw new AppError(error.code, error.message, { retriable: true, cause: error })
      })
      if (answer.type !== 'inspect') throw unexpected(answer)
      return answer.audio
    },
    async checkClips(path) {
      const answer = await ask({ type: 'hear', path })
      if (answer.type !== 'hear') throw unexpected(answer)
      return answer.clips
    },
    async cut(text, maxChars) {
      const answer = await ask({ type: 'cut', text, maxChars })
      if (answer.type !== 'cut') throw unexpected(answer)
      return answer.cuts
    },
    async write(work, signal) {
      jobs += 1
      const job = `write ${jobs}`
      await ask({ type: 'write', job, work })
      for (;;) {
        if (signal.aborted) {
          await ask({ type: 'abandon', job }).catch(() => undefined)
          throw new AppError('CANCELLED', 'Stopped before it was finished')
        }
        const answer = await ask({ type: 'more', job })
        if (answer.type === 'written') return answer.written
        if (answer.type === 'unknown')
          throw new AppError('ENGINE_UNAVAILABLE', 'The audio worker stopped', { retriable: true })
      }
    },
    close: () => client.close(),
  }
}

const unexpected = ({ type }: Answer): Error => new Error(`Unexpected response of type ${type}`)
