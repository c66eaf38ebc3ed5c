import { jsonReply } from './reply.ts'
import type { ServiceReply } from './reply.ts'

/** Failures of the service with their HTTP status and business code (service-notes 14; an unknown path: section 1). */
const failures = {
  noKey: [401, '1001'],
  wrongKey: [401, '1000'],
  badRequest: [400, '1210'],
  unknownModel: [400, '1211'],
  fieldMissing: [400, '1213'],
  fieldIllegal: [400, '1214'],
  engineUnavailable: [400, '1221'],
  tooManyRequests: [429, '1302'],
  callFailed: [500, '1200'],
  unknownPath: [500, '404'],
} as const

/** Name of a failure in the table above. */
export type ServiceFailure = keyof typeof failures

/** A failure the caller is told of. The message must hold no key and no path of this computer. */
export class ServiceError extends Error {
  readonly failure: ServiceFailure

  constructor(failure: ServiceFailure, message: string) {
    super(message)
    this.name = 'ServiceError'
    this.failure = failure
  }
}

/** The failure body of the speech, file and voice families (spec section 7). */
export function errorBody(failure: ServiceFailure, message: string): unknown {
  return { error: { code: failures[failure][1], message } }
}

/** Any error as an answer; what was not thrown on purpose is told without its text. */
export function errorReply(error: unknown): ServiceReply {
  const known = error instanceof ServiceError
  const failure = known ? error.failure : 'callFailed'
  const message = known ? error.message : 'The call failed inside the service'
  return jsonReply(errorBody(failure, message), failures[failure][0])
}
