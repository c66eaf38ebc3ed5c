import type { Job } from '../../../../../shared/model/job.ts'

/** Returns the message key of a job's status. */
export function jobStateKey(job: Pick<Job, 'state' | 'nextTryAt'>): string {
  return job.state === 'waiting' && job.nextTryAt !== null
    ? 'jobs.waitingUntil'
    : `jobs.${job.state}`
}
