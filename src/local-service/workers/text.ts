import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { loadEncoder } from '../engines/text-encoder.ts'
import { embedTexts } from '../engines/text-embed.ts'
import type { TextOutcome, TextRequest } from '../engines/text-messages.ts'
import { rankTexts } from '../engines/text-rank.ts'
import type { EngineWorkerData } from '../engines/worker-messages.ts'
import { modelLoader, serveJobs } from '../engines/worker-port.ts'

function start(port: NonNullable<typeof parentPort>, { modelsDir }: EngineWorkerData): void {
  const ready = modelLoader(() => loadEncoder(join(modelsDir, 'use-en')))

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

if (parentPort) start(parentPort, workerData as EngineWorkerData)
