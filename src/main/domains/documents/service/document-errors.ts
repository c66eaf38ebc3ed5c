import type { Failure } from '../../../../shared/contract/reply.ts'
import { AppError } from '../../../errors.ts'

/**
 * Whether a failure means that the part is too large, by any limit: the client's own check, a status 413, a code of the
 * provider.
 */
export const isTooLarge = (error: { readonly code: Failure['code'] }): boolean =>
  error.code === 'FILE_TOO_LARGE' ||
  error.code === 'LIMIT_EXCEEDED' ||
  error.code === 'CONTEXT_TOO_LONG'

/** Whether a response omits pages of its part without naming them: requesting smaller parts identifies them. */
export const isUnclear = ({ code, params }: AppError): boolean =>
  code === 'MALFORMED_REPLY' && params?.['reason'] === 'pages-unclear'

/** Whether a page of the part cannot be read or written to a file: the others can, in parts without it. */
export const isUnreadable = ({ code }: AppError): boolean =>
  code === 'DAMAGED_FILE' || code === 'UNSUPPORTED_FORMAT'

/** Whether a file could not be opened because its password is missing. */
export const wantsPassword = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'REFUSED' && error.params?.['password'] !== undefined

/** Failure of a version that waits for its document's password. */
export const lockedFailure = (at: number): Failure => ({
  code: 'REFUSED',
  message: 'The document requires its password',
  retriable: true,
  params: { password: 'missing' },
  at,
})

/** Failure of a page that the response for its part does not contain. */
export const missingFailure = (at: number): Failure => ({
  code: 'MALFORMED_REPLY',
  message: 'The response does not contain this page',
  retriable: true,
  params: { reason: 'page-missing' },
  at,
})
