import type { ErrorCode } from '../../shared/contract/reply.ts'

/** Meaning of a provider error: Lectern's code, and whether the same request may succeed later. */
interface Meaning {
  readonly code: ErrorCode
  readonly retriable: boolean
}

const final = (code: ErrorCode): Meaning => ({ code, retriable: false })
const passing = (code: ErrorCode): Meaning => ({ code, retriable: true })

/** Maps several codes of the provider to one meaning. */
const each = (codes: string, meaning: Meaning): [string, Meaning][] =>
  codes.split(' ').map((code) => [code, meaning])

/**
 * The text codes and numeric codes of service-notes 14 in one table. Only those that service-notes 14 calls worth repeating
 * are retriable: 1302, 1305 and the provider's own failures.
 */
export const meanings: ReadonlyMap<string, Meaning> = new Map([
  ...each('invalid_request invalid_request_error', final('INVALID_INPUT')),
  ...each('model_not_found', final('MODEL_UNKNOWN')),
  ...each('not_implemented', final('NOT_IMPLEMENTED')),
  ...each('request_too_large', final('FILE_TOO_LARGE')),
  ...each('authentication_error invalid_api_key expired', final('KEY_REJECTED')),
  ...each('permission_denied', final('PERMISSION_DENIED')),
  ...each('context_length_exceeded', final('CONTEXT_TOO_LONG')),
  ...each('rate_limit_exceeded', passing('RATE_LIMITED')),
  ...each('insufficient_quota quota_exceeded usage_limit_reached', final('QUOTA_EXHAUSTED')),
  ...each('usage_not_included', final('QUOTA_EXHAUSTED')),
  ...each('server_error', passing('SERVER_ERROR')),
  ...each('server_is_overloaded overloaded slow_down', passing('OVERLOADED')),
  ...each('content_filter cyber_policy', final('CONTENT_BLOCKED')),

  ...each('1000 1001 1002 1003 1004 1005', final('KEY_REJECTED')),
  ...each('1110 1111 1112 1120 1121 1220', final('PERMISSION_DENIED')),
  ...each('1113', final('QUOTA_EXHAUSTED')),
  ...each('1200 1230 1234', passing('SERVER_ERROR')),
  ...each('1210 1213 1214 1215 1231', final('INVALID_INPUT')),
  ...each('1211', final('MODEL_UNKNOWN')),
  ...each('1212 1221 1222', final('NOT_IMPLEMENTED')),
  ...each('1261', final('CONTEXT_TOO_LONG')),
  ...each('1300 1301', final('CONTENT_BLOCKED')),
  ...each('1302', passing('RATE_LIMITED')),
  ...each('1303', final('RATE_LIMITED')),
  ...each('1304 1308 1309 1310', final('QUOTA_EXHAUSTED')),
  ...each('1305', passing('OVERLOADED')),
  ...each('1311 1313 1314 1315', final('PERMISSION_DENIED')),
  ...each('1316 1317 1318 1319 1320 1321', final('QUOTA_EXHAUSTED')),
])

const statuses: ReadonlyMap<number, Meaning> = new Map([
  [401, final('KEY_REJECTED')],
  [402, final('QUOTA_EXHAUSTED')],
  [403, final('PERMISSION_DENIED')],
  [404, final('SERVICE_NOT_FOUND')],
  [405, final('NOT_IMPLEMENTED')],
  [407, final('OFFLINE')],
  [408, passing('TIMEOUT')],
  [410, final('SERVICE_NOT_FOUND')],
  [413, final('FILE_TOO_LARGE')],
  [415, final('UNSUPPORTED_FORMAT')],
  [425, passing('RATE_LIMITED')],
  [429, passing('RATE_LIMITED')],
  [434, final('PERMISSION_DENIED')],
  [435, final('FILE_TOO_LARGE')],
  [501, final('NOT_IMPLEMENTED')],
  [503, passing('OVERLOADED')],
  [529, passing('OVERLOADED')],
])

/** Returns the meaning of an HTTP status when the body contains no known code. */
function meaningOfStatus(status: number): Meaning {
  const known = statuses.get(status)
  if (known) return known
  if (status >= 500) return passing('SERVER_ERROR')
  if (status >= 400) return final('INVALID_INPUT')
  return final('SERVICE_FAILED')
}

/**
 * Returns the meaning of a status together with the code of the body. A known code wins; a code that is itself an HTTP status
 * (a gateway's `401`, an unknown path's `404` inside a 500) overrides the status. A 404 whose code only reports a bad request
 * is a 404: its meaning does not depend on the format of its body. A 429 with an unknown business code is treated as a quota:
 * repeating it could cost the account, so it is final.
 */
export function meaningOf(status: number, code: string | null): Meaning {
  if (code === null) return meaningOfStatus(status)
  const known = meanings.get(code)
  const isMissing = (status === 404 || status === 410) && known?.code === 'INVALID_INPUT'
  if (known && !isMissing) return known
  if (/^[45]\d\d$/.test(code)) return meaningOfStatus(Number(code))
  const byStatus = meaningOfStatus(status)
  return status === 429 ? { ...byStatus, retriable: false } : byStatus
}

/** One English sentence per code, for the log and Details. The provider's own message is stored separately. */
export const sentences: Readonly<Partial<Record<ErrorCode, string>>> = {
  KEY_REJECTED: 'The provider rejected the API key.',
  PERMISSION_DENIED: 'The account does not have permission for this.',
  QUOTA_EXHAUSTED: 'The account’s balance or quota is used up.',
  RATE_LIMITED: 'The provider’s rate limit was reached.',
  OVERLOADED: 'The provider is overloaded.',
  SERVER_ERROR: 'The provider had an internal error.',
  INVALID_INPUT: 'The provider rejected the request.',
  MODEL_UNKNOWN: 'The provider does not have this model.',
  CONTEXT_TOO_LONG: 'The input exceeds the context length of the model.',
  CONTENT_BLOCKED: 'The provider’s content filter blocked this.',
  NOT_IMPLEMENTED: 'The provider does not support this.',
  SERVICE_NOT_FOUND: 'The provider has nothing at this URL.',
  SERVICE_FAILED: 'The provider reported that the request failed.',
  FILE_TOO_LARGE: 'The provider rejected the request as too large.',
  UNSUPPORTED_FORMAT: 'The provider does not support this format.',
  TIMEOUT: 'The provider did not respond in time.',
  OFFLINE: 'The provider could not be reached.',
}
