import { rmSync } from 'node:fs'
import { AppError } from '../../../errors.ts'
import { removal } from '../../../../system/file-moves.ts'
import { createWorkerClient, type WorkerClient } from '../../../platform/workers/client.ts'
import type { VectorsWorkerData } from '../../../workers/vectors.ts'
import type { MeaningAnswers, MeaningRequest } from './semantic-types.ts'

/** Milliseconds without a request after which the worker ends: an index of 200,000 texts takes 200 MB. */
const idleMs = 5 * 60_000

/** Request to the vector worker, which has its own read-only connection. */
export type SendSemanticRequest = <Name extends MeaningRequest['ask']>(
  request: Extract<MeaningRequest, { readonly ask: Name }>,
) => Promise<MeaningAnswers[Name]>

/** Semantic search requests with the lifecycle of their worker. */
export interface SemanticSearchWorker {
  /**
   * Rejects with ENGINE_UNAVAILABLE when the worker died (the next call restarts it), CANCELLED when it was closed.
   */
  readonly ask: SendSemanticRequest
  /** Sets the file to search from now on; null while there is none. */
  use(file: VectorsWorkerData | AppError | null): Promise<void>
  /** Deletes its data in memory and in its folder, when everything is erased. */
  erase(): void
  close(): Promise<void>
}

/** Runs requests off the main thread. `damage` is called for a damaged file. */
export function createSemanticSearchWorker(
  url: URL,
  damage: (error: unknown) => void,
): SemanticSearchWorker {
  let client: WorkerClient<MeaningRequest, MeaningAnswers[keyof MeaningAnswers]> | null = null
  let refusal: AppError | null = null
  let folder: string | null = null

  return {
    async ask<Name extends MeaningRequest['ask']>(
      request: Extract<MeaningRequest, { readonly ask: Name }>,
    ) {
      if (refusal) throw refusal
      if (!client) throw new AppError('NOT_FOUND', 'There is no library to search')
      try {
        // Each request has its type of response (`workers/vectors.ts`).
        return (await client.call(request)) as MeaningAnswers[Name]
      } catch (error) {
        damage(error)
        throw error
      }
    },
    async use(file) {
      const old = client
      refusal = file instanceof AppError ? file : null
      if (file && !(file instanceof AppError)) folder = file.folder
      client =
        file && !(file instanceof AppError)
          ? createWorkerClient({ url, name: 'Vectors', data: file, idleMs })
          : null
      await old?.close()
    },
    erase() {
      void client?.stop()
      if (folder !== null) rmSync(folder, removal)
    },
    async close() {
      const old = client
      client = null
      await old?.close()
    },
  }
}
