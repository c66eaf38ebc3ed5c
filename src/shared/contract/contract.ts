import type { z } from 'zod'

/** Bridge route: the strict schema of its request, and (as a type only) its reply. */
export interface Route<S extends z.ZodType = z.ZodType, R = unknown> {
  readonly request: S
  /** Never set; carries the reply type. */
  readonly reply?: R
}

/**
 * Declares a route: `route<ReplyType>()(requestSchema)`. Use `z.strictObject`, so that unknown fields are rejected.
 */
export const route =
  <R>() =>
  <S extends z.ZodType>(request: S): Route<S, R> => ({ request })

/** IDs created by the caller (streams, cancelable calls): 8 to 64 characters of `A-Z a-z 0-9 _ -`. */
export const callerIdPattern = /^[A-Za-z0-9_-]{8,64}$/
