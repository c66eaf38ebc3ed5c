import type { Job } from '../../../../shared/model/job.ts'

/** Key of the words for a job's state. */
export function jobStateKey(job: Pick<Job, 'state' | 'nextTryAt'>): string {
  return job.state === 'waiting' && job.nextTryAt !== null
    ? 'jobs.waitingUntil'
    : `jobs.${job.state}`
}
