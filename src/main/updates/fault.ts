import type { UpdateFault } from '../../shared/model/updates.ts'

/** Failed check, download or installation; the message is for the log and for Details. */
export class UpdateError extends Error {
  readonly fault: UpdateFault

  constructor(fault: UpdateFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'UpdateError'
    this.fault = fault
  }
}

/** Whether the disk is full: ENOSPC or EDQUOT. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
