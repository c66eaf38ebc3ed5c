import { AppError } from '../../errors.ts'
import type { Store } from '../../store/types.ts'
import type { Handlers } from '../router.ts'

/** The durable jobs that are not over, and those that need the user. */
export const jobHandlers = ({
  jobs,
  items,
}: Pick<Store, 'jobs' | 'items'>): Pick<Handlers, 'jobs.active' | 'jobs.dismiss'> => ({
  'jobs.active': () =>
    jobs
      .byState(['queued', 'running', 'waiting', 'failed'])
      // What lies in the bin needs nobody; restoring brings its job back.
      .filter((job) => items.summary(job.itemId)?.deletedAt === null)
      .map(({ options: _options, transcriptId: _transcriptId, ...job }) => job),
  'jobs.dismiss': ({ id }) => {
    const job = jobs.get(id)
    if (!job) throw new AppError('NOT_FOUND', 'No such job')
    if (job.state === 'queued' || job.state === 'running') {
      throw new AppError('REFUSED', 'The job is still running')
    }
    jobs.dismiss(id)
    return {}
  },
})
