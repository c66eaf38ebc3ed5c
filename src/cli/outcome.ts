import type { ErrorCode } from '../shared/contract/reply.ts'
import { AppError } from '../main/errors.ts'
import { UsageError } from './usage-error.ts'

export const exitCodes = {
  done: 0,
  unexpected: 1,
  usage: 2,
  limit: 3,
  refused: 4,
  network: 5,
  key: 6,
  cancelled: 130,
} as const

/** One of {@link exitCodes} by its name. */
type Outcome = keyof typeof exitCodes

/** Meaning of each error code: the outcome for scripts, and a suggestion for the user. */
const meanings: Readonly<Record<ErrorCode, readonly [Outcome, string]>> = {
  BAD_REQUEST: ['usage', 'See the fields of the operation with --help.'],
  ROUTE_NOT_FOUND: ['unexpected', 'Report the problem.'],
  INTERNAL: ['unexpected', 'Run it again. If the problem persists, report it.'],
  CANCELLED: ['cancelled', 'You can run it again.'],
  NOT_FOUND: ['usage', 'Check the name.'],
  REFUSED: ['usage', 'Change the request.'],
  LEFT_UNFINISHED: ['unexpected', 'Run it again.'],
  ACCOUNT_REMOVED: ['usage', 'Use another account.'],
  NO_KEY: ['key', 'Set LECTERN_KEY, enter the API key on standard input, or use --account.'],
  KEY_REJECTED: ['key', 'Check the API key in the provider’s console.'],
  PERMISSION_DENIED: ['key', 'Request access in the provider’s console.'],
  QUOTA_EXHAUSTED: ['key', 'Add credit, or wait until the quota is renewed.'],
  KEYCHAIN_UNAVAILABLE: ['key', 'The keychain can’t be used here. Set LECTERN_KEY instead.'],
  KEYCHAIN_LOCKED: ['key', 'Unlock the keychain or set LECTERN_KEY.'],
  BASE_URL_REFUSED: [
    'usage',
    'Use https, or http for this computer. Remove any user name, password, ?, or #.',
  ],
  OFFLINE: ['network', 'Check the network and the base URL.'],
  TIMEOUT: ['network', 'Try again later.'],
  TLS_UNTRUSTED: [
    'network',
    'Check the provider’s certificate, or add its authority in Settings > Network.',
  ],
  STREAM_CUT: ['network', 'Run it again. The lines so far are the partial response.'],
  ANSWER_TOO_LONG: ['refused', 'Ask for a shorter answer. The partial answer is above.'],
  MALFORMED_REPLY: ['refused', 'Check the base URL.'],
  REDIRECTED: ['refused', 'Use the base URL it redirects to.'],
  RATE_LIMITED: ['refused', 'Wait, then try again with fewer parallel requests.'],
  OVERLOADED: ['refused', 'Wait, then try again.'],
  SERVER_ERROR: ['refused', 'Try again later, or send the request ID to the provider.'],
  INVALID_INPUT: ['refused', 'Change the input. See the message.'],
  MODEL_UNKNOWN: ['refused', 'Use a model that is available with this provider and API key.'],
  CONTEXT_TOO_LONG: ['refused', 'Shorten the input.'],
  CONTENT_BLOCKED: ['refused', 'Change the content.'],
  NOT_IMPLEMENTED: ['refused', 'Use another account.'],
  SERVICE_NOT_FOUND: ['refused', 'Check the ID and the base URL.'],
  SERVICE_FAILED: ['refused', 'Try again later.'],
  FILE_TOO_LARGE: ['limit', 'Use a smaller file.'],
  AUDIO_TOO_LONG: ['limit', 'Split the audio into shorter parts.'],
  UNSUPPORTED_FORMAT: ['limit', 'Convert the file to a supported format.'],
  DAMAGED_FILE: ['limit', 'Use an undamaged file.'],
  EMPTY_FILE: ['limit', 'Use a file that is not empty.'],
  NO_SOUND: ['limit', 'Use a file with an audio track.'],
  PROTECTED_SOUND: ['limit', 'Use a file without copy protection.'],
  ARCHIVE_DAMAGED: ['limit', 'Use an undamaged archive.'],
  ARCHIVE_REFUSED: ['limit', 'Use an archive that Lectern exported.'],
  ARCHIVE_FROM_FUTURE: ['limit', 'Update Lectern.'],
  WORK_UNDER_WAY: ['refused', 'Wait until the job is done.'],
  FILE_MISSING: ['usage', 'Check the path.'],
  FILE_UNREADABLE: ['usage', 'Check the path and your permission to read the file.'],
  LIMIT_EXCEEDED: ['limit', 'Stay within the limit.'],
  DISK_FULL: ['unexpected', 'Free up disk space.'],
  SAVE_FAILED: ['unexpected', 'Choose another folder or name.'],
  READ_ONLY: ['unexpected', 'Make the folder writable.'],
  DATABASE_DAMAGED: ['unexpected', 'Open Lectern to repair its library.'],
  DATABASE_FROM_FUTURE: ['unexpected', 'Update Lectern.'],
  DATABASE_TOO_OLD: ['unexpected', 'Use the version that wrote the database.'],
  DATABASE_BUSY: ['unexpected', 'Try again in a moment.'],
  ENGINE_UNAVAILABLE: ['refused', 'Run `npm run setup` to download the on-device models.'],
}

/** Printed form of a failure, and the command's exit code. */
interface CliError {
  readonly exitCode: number
  /** One JSON object. */
  readonly line: Readonly<Record<string, unknown>>
}

/** Formats a failure as plain data with a suggestion. The messages of unexpected errors are hidden. */
export function formatError(error: unknown): CliError {
  if (error instanceof UsageError)
    return cliErrorOf('usage', { code: 'USAGE', message: error.message, todo: 'See --help.' })
  if (!(error instanceof AppError))
    return cliErrorOf('unexpected', {
      code: 'INTERNAL',
      message: 'Internal error',
      todo: meanings.INTERNAL[1],
    })
  const [defaultOutcome, todo] = meanings[error.code]
  return cliErrorOf(outcomeOf(error, defaultOutcome), {
    code: error.code,
    message: error.message,
    ...(error.params && { params: error.params }),
    retriable: error.retriable,
    ...(error.service && { service: error.service }),
    todo,
  })
}

/** Returns the outcome of an error: the same code may be from here or from the provider, which makes the difference. */
function outcomeOf(error: AppError, defaultOutcome: Outcome): Outcome {
  const bySelf = error.service?.status === undefined
  if (defaultOutcome === 'limit' && !bySelf) return 'refused'
  if (error.code === 'INVALID_INPUT' && bySelf) return 'limit'
  return defaultOutcome
}

const cliErrorOf = (outcome: Outcome, error: Readonly<Record<string, unknown>>): CliError => ({
  exitCode: exitCodes[outcome],
  line: { error },
})
