import { TextFailure } from '../engines/text.ts'
import { ServiceError } from '../errors.ts'

/** What the caller is told when the text engine cannot work, with the way out. */
export function textProblem(error: unknown): unknown {
  if (!(error instanceof TextFailure)) return error
  if (error.trouble === 'engine-unavailable')
    return new ServiceError(
      'engineUnavailable',
      'The text engine of this computer is unavailable: its model is not in place or cannot be loaded. Run `npm run setup` to get it.',
    )
  if (error.trouble === 'busy')
    return new ServiceError('tooManyRequests', `Too many requests at a time: ${error.message}`)
  return new ServiceError('callFailed', 'The work on the texts did not come to its end')
}

/** Runs work of the text engine; its failures become those of the service. Throws ServiceError. */
export async function withTextEngine<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw textProblem(error)
  }
}
