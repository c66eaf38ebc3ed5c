import type { SampleFix, SampleReport } from '../../../../../shared/model/sample.ts'
import type { Span } from '../../../../../shared/model/meeting.ts'
import type { WorkerUrl } from '../../../../deps.ts'
import { AppError } from '../../../../errors.ts'
import { errorOf } from '../../../../platform/workers/failed.ts'
import type { PackEntry, SampleAnswer, SampleRequest } from '../../worker/sample/messages.ts'
import { createWorkerClient } from '../../../../platform/workers/client.ts'

/** Sample as a WAV file. */
export interface MadeSample {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Whether the source file is longer than the sample. */
  readonly more: boolean
}

/** Worker for the audio of samples. */
export interface SampleWork {
  /** Throws decoding errors; DAMAGED_FILE if the decoder crashes. */
  take(path: string): Promise<MadeSample>
  cut(folder: string, channel: number | 'mix', span: Span): Promise<MadeSample>
  inspect(path: string): Promise<SampleReport>
  fix(path: string, fix: SampleFix): Promise<MadeSample>
  /** Packs several files into one archive. */
  pack(entries: readonly PackEntry[]): Promise<Uint8Array<ArrayBuffer>>
  close(): Promise<void>
}

/** Timeout in milliseconds of one request: five minutes of audio take about ten seconds. */
const maxWorkMs = 120_000

/** Starts the worker with the first sample. */
export function createSampleWork(workerUrl: WorkerUrl, modelsDir: string): SampleWork {
  const client = createWorkerClient<SampleRequest, SampleAnswer>({
    url: workerUrl('samples'),
    name: 'Voice samples',
    data: modelsDir,
    timeoutMs: maxWorkMs,
  })
  async function made(request: SampleRequest): Promise<MadeSample> {
    const answer = await ask(request)
    if (answer.type !== 'made') throw new Error(`Unexpected response of type ${answer.type}`)
    return answer
  }
  async function ask(request: SampleRequest): Promise<Exclude<SampleAnswer, { type: 'failed' }>> {
    const answer = await client.call(request).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
      throw new AppError('DAMAGED_FILE', 'The audio could not be read', { cause: error })
    })
    if (answer.type === 'failed') throw errorOf(answer)
    return answer
  }
  return {
    take: (path) => made({ type: 'take', path }),
    cut: (folder, channel, span) => made({ type: 'cut', folder, channel, span }),
    fix: (path, fix) => made({ type: 'fix', path, fix }),
    async inspect(path) {
      const answer = await ask({ type: 'inspect', path })
      if (answer.type !== 'report') throw new Error(`Unexpected response of type ${answer.type}`)
      return answer.report
    },
    async pack(entries) {
      const answer = await ask({ type: 'pack', entries })
      if (answer.type !== 'packed') throw new Error(`Unexpected response of type ${answer.type}`)
      return answer.bytes
    },
    close: () => client.close(),
  }
}
