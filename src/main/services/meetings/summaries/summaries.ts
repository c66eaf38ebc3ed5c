import { AppError } from '../../../errors.ts'
import type { Summaries } from '../parts.ts'

/** Builds summaries. */
export function createSummaries(_deps: { onSummary(id: string): void }): Summaries {
  return {
    start: async () => {
      throw new AppError('NOT_IMPLEMENTED', 'Not yet')
    },
    forget: async () => undefined,
    resume: () => undefined,
    busy: () => false,
    shutdown: async () => undefined,
  }
}
