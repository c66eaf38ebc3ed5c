import { TextFailure } from '../engines/text.ts'
import { ServiceError } from '../errors.ts'

/** What the caller is told when the text engine cannot work, with the way out. */
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

/** Runs work of the text engine; its failures become those of the service. Throws ServiceError. */
export async function withTextEngine<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw textProblem(error)
  }
}
