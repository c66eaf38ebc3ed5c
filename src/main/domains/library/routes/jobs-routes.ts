import { AppError } from '../../../errors.ts'
import type { Store } from '../../../library-database/store.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/** Handlers of the unfinished durable jobs, and of those that need attention. */
export const jobHandlers = ({
  jobs,
  items,
}: Pick<Store, 'jobs' | 'items'>): Pick<Handlers, 'jobs.active' | 'jobs.dismiss'> => ({
  'jobs.active': () =>
    jobs
      .byState(['queued', 'running', 'waiting', 'failed'])
      // Items in Trash need no attention; restoring one brings its job back.
      .filter((job) => items.summary(job.itemId)?.deletedAt === null)
      .map(({ options: _options, transcriptId: _transcriptId, ...job }) => job),
  'jobs.dismiss': ({ id }) => {
    const job = jobs.get(id)
    if (!job) throw new AppError('NOT_FOUND', 'Job not found')
    if (job.state === 'queued' || job.state === 'running') {
      throw new AppError('REFUSED', 'The job is still running')
    }
    jobs.dismiss(id)
    return {}
  },
})
