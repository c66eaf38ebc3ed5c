import type { Failure } from '../../../shared/bridge/reply.ts'
import { AppError } from '../../errors.ts'

/** Failures that say the part itself is too much, whatever limit it met: the client's own check, a status 413, a code of the service. */
export const isTooLarge = (error: { readonly code: Failure['code'] }): boolean =>
  error.code === 'FILE_TOO_LARGE' ||
  error.code === 'LIMIT_EXCEEDED' ||
  error.code === 'CONTEXT_TOO_LONG'

/** A reply that left out pages of its part and does not say which: asked for in smaller parts it can be told. */
export const isUnclear = ({ code, params }: AppError): boolean =>
  code === 'MALFORMED_REPLY' && params?.['reason'] === 'pages-unclear'

/** Some page of the part cannot be read, or written into a file: the others can, in parts without it. */
export const isUnreadable = ({ code }: AppError): boolean =>
  code === 'DAMAGED_FILE' || code === 'UNSUPPORTED_FORMAT'

/** True when a file did not open for want of its password. */
export const wantsPassword = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'REFUSED' && error.params?.['password'] !== undefined

/** What a version tells that waits for its document's password. */
export const lockedFailure = (at: number): Failure => ({
  code: 'REFUSED',
  message: 'The document waits for its password',
  retriable: true,
  params: { password: 'missing' },
  at,
})

/** What is said of a page that the reply of its part does not hold. */
export const missingFailure = (at: number): Failure => ({
  code: 'MALFORMED_REPLY',
  message: 'The reply does not hold this page',
  retriable: true,
  params: { reason: 'page-missing' },
  at,
})
