import type { Clock, WorkerUrl } from '../../../../deps.ts'
import { AppError } from '../../../../errors.ts'
import type { ArchiveAnswer, ArchiveRequest } from '../../archive/archive-worker.ts'
import { progressOwner, type ProgressOwner } from '../../../../platform/zip/progress.ts'
import { createWorkerClient } from '../../../../platform/workers/client.ts'

/** A request, without the shared memory that reports progress. */
export type ArchiveWorkerRequest = ArchiveRequest extends infer R
  ? R extends unknown
    ? Omit<R, 'memory'>
    : never
  : never

/** Client of the archive worker, which runs one task at a time. */
export interface ArchiveWorker {
  /** Throws a failure as an AppError with its parameters. */
  call<T extends ArchiveWorkerRequest['task']>(
    request: Extract<ArchiveWorkerRequest, { task: T }>,
    progress?: ProgressOwner,
  ): Promise<Extract<ArchiveAnswer, { task: T }>>
  close(): Promise<void>
}

/** Starts the program with its first task and ends it after the last: it has buffers of several megabytes. */
export function createArchiveWorker(workerUrl: WorkerUrl, clock: Clock): ArchiveWorker {
  const client = createWorkerClient<ArchiveRequest, ArchiveAnswer>({
    url: workerUrl('archive'),
    name: 'Archive',
  })
  let running = 0
  return {
    async call<T extends ArchiveWorkerRequest['task']>(
      request: Extract<ArchiveWorkerRequest, { task: T }>,
      progress = progressOwner(),
    ): Promise<Extract<ArchiveAnswer, { task: T }>> {
      running += 1
      try {
        const { memory } = progress
        const answer = await client.call({ ...(request as ArchiveWorkerRequest), memory })
        if (answer.task === 'failed') {
          const { code, message, retriable, params } = answer.failure
          throw new AppError(code, message, { retriable, ...(params && { params }) })
        }
        // The program answers each task with the matching answer type.
        return answer as Extract<ArchiveAnswer, { task: T }>
      } finally {
        running -= 1
        if (running === 0) void client.stop().catch(() => clock())
      }
    },
    close: () => client.close(),
  }
}
