import { TextFailure } from '../engines/text.ts'
import { ServiceError } from '../errors.ts'

/** Maps a failure of the text engine to an error with a suggested remedy for the client. */
export function textProblem(error: unknown): unknown {
  if (!(error instanceof TextFailure)) return error
  if (error.trouble === 'engine-unavailable')
    return new ServiceError(
      'engineUnavailable',
      'The on-device text engine isn’t available: its model is missing or can’t be loaded. Run `npm run setup` to get it.',
    )
  if (error.trouble === 'busy')
    return new ServiceError('tooManyRequests', `Too many parallel requests: ${error.message}`)
  return new ServiceError('callFailed', 'Processing the texts failed')
}

/** Runs work on the text engine and converts its failures to service errors. Throws ServiceError. */
export async function withTextEngine<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw textProblem(error)
  }
}
