import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { loadEncoder } from '../engines/text-encoder.ts'
import type { Encoder } from '../engines/text-encoder.ts'
import { embedTexts } from '../engines/text-embed.ts'
import type { TextOutcome, TextRequest, TextWorkerData } from '../engines/text-messages.ts'
import { rankTexts } from '../engines/text-rank.ts'
import { JobProblem, serveJobs } from '../engines/worker-port.ts'

function start(port: NonNullable<typeof parentPort>, data: TextWorkerData): void {
  let encoder: Promise<Encoder> | undefined

  const ready = async (): Promise<Encoder> => {
    encoder ??= loadEncoder(join(data.modelsDir, 'use-en'))
    try {
      return await encoder
    } catch (error) {
      // Reset so that the next request finds a model that was installed in the meantime.
      encoder = undefined
      throw new JobProblem('engine-unavailable', String(error))
    }
  }

  serveJobs<TextRequest, null, TextOutcome>(
    port,
    async (request, { step, progress }) => {
      const next = async (): Promise<void> => {
        progress(null)
        await step()
      }
      return request.type === 'embed'
        ? embedTexts(request, ready, next)
        : rankTexts(request, ready, next)
    },
    (outcome) => (outcome.type === 'embed' ? outcome.vectors.map(({ buffer }) => buffer) : []),
  )
}

if (parentPort) start(parentPort, workerData as TextWorkerData)
