import type { ErrorCode } from '../../../../shared/contract/reply.ts'
import { saveFailures } from './saving.ts'
import type { FailureWords } from './failureWords.ts'

/** Failures of archives, by code; part of `errors`. */
const archiveFailures = {
  ARCHIVE_DAMAGED: {
    what: '“{file}” is damaged.',
    plain: 'This archive is damaged.',
    truncated: '“{file}” is incomplete.',
    sum: '“{entry}” in “{file}” doesn’t match its checksum.',
    damaged: '“{file}” is damaged.',
    data: 'Nothing was imported.',
    todo: 'Copy or export the archive again.',
  },
  ARCHIVE_REFUSED: {
    what: 'Can’t import “{file}”.',
    plain: 'Can’t import this archive.',
    foreign: '“{file}” isn’t a Lectern archive.',
    packed: '“{file}” was repackaged by another program.',
    encrypted: '“{entry}” in “{file}” is encrypted.',
    path: '“{entry}” in “{file}” has an unsafe path.',
    twice: '“{file}” contains “{entry}” twice.',
    case: '“{file}” contains “{entry}” twice, with different capitalization.',
    link: '“{entry}” in “{file}” isn’t a regular file.',
    overlap: '“{file}” contains overlapping or unlisted data.',
    bomb: '“{file}” expands to more than its stated size.',
    manifest: '“{entry}” in “{file}” doesn’t match the manifest.',
    database: '“{entry}” in “{file}” isn’t a Lectern library.',
    unknown: '“{file}” has an unsupported library version.',
    data: 'Nothing was imported.',
    todo: 'Use the original archive, from a source you trust.',
  },
  ARCHIVE_FROM_FUTURE: {
    what: '“{file}” needs a newer version of Lectern.',
    plain: 'This archive needs a newer version of Lectern.',
    data: 'Nothing was imported.',
    todo: 'Update Lectern, then import the archive.',
  },
  WORK_UNDER_WAY: {
    what: 'Lectern is still recording, sending, or answering.',
    archive: 'An archive is being exported or imported.',
    data: 'Nothing was changed.',
    todo: 'Wait until it’s done or stop it, then try again.',
  },
} satisfies Readonly<Record<string, FailureWords>>

const safe = 'Nothing was lost.'
const partial = 'Partial results are saved.'
const report = 'Try again, or report the problem.'
const words = {
  BAD_REQUEST: {
    what: 'Something went wrong in Lectern.',
    named: '{what}: {reason}',
    unreadable: '“{piece}” isn’t a page range.',
    zero: '“{piece}” isn’t valid. Page numbers start at 1.',
    beyond: '“{piece}” is past the last page, {pages}.',
    todo: 'Check your input or report the problem.',
  },
  ROUTE_NOT_FOUND: {
    what: 'This page is out of date.',
    todo: 'Reload the page or restart Lectern.',
  },
  INTERNAL: {
    what: 'Something went wrong in Lectern.',
    data: safe,
    todo: report,
  },
  CANCELLED: {
    what: 'Stopped.',
    data: partial,
    todo: 'You can run it again.',
  },
  NOT_FOUND: {
    what: 'Lectern couldn’t find this item.',
    todo: 'It may be in Trash.',
  },
  REFUSED: {
    what: 'This isn’t possible right now.',
    otherOrigin: 'The account’s base URL changed while you were entering the API key.',
    otherOriginTodo: 'Check the base URL, then enter the API key again.',
    caDataFolder: 'The certificate file is in Lectern’s data folder.',
    caDataFolderTodo: 'Choose a file in another folder.',
    caNetworkPath: 'The certificate file isn’t on this computer.',
    caNetworkPathTodo: 'Copy it to this computer, then choose the copy.',
    caSize: 'The file is larger than 1 MB or isn’t a regular file.',
    caSizeTodo: 'Choose a PEM or DER file.',
    caUnreadable: 'Lectern can’t read the certificate file.',
    caUnreadableTodo: 'Check that it exists and that you have permission to read it.',
    caContent: 'The file doesn’t contain a valid certificate.',
    caContentTodo: 'Choose a PEM or DER file.',
    answering: 'An answer in this chat isn’t finished yet.',
    answeringTodo: 'Wait until it’s done, or stop it.',
    otherWindow: 'Another Lectern window is recording. Stop it there first.',
    imported: 'The imported file doesn’t include this attachment. Attach it again.',
    encryptedPdf: 'This PDF is encrypted, so Lectern can’t write into a copy of it.',
    encryptedPdfTodo: 'Export the highlights as text instead.',
    notPdf: 'Only PDFs can be copied with highlights.',
    notPdfTodo: 'Export the highlights as text instead.',
    noHighlights: 'This document has no highlights.',
    remoteAddress: 'This isn’t a valid URL.',
    remoteScheme: 'Lectern only loads http and https URLs.',
    remoteCredentials: 'Lectern doesn’t load URLs with a user name or password.',
    remotePort: 'Lectern doesn’t load URLs with a nonstandard port.',
    remoteHost: 'This URL points to a private network. Lectern only loads public URLs.',
    remoteRedirects: 'This URL redirects too many times.',
    remoteType: 'This URL returned an unexpected file type.',
    todo: 'If a job is running, wait until it’s done.',
  },
  LEFT_UNFINISHED: {
    what: 'Lectern quit before this finished.',
    data: partial,
    todo: 'Before you run it again, check whether the provider already created the result.',
  },
  ACCOUNT_REMOVED: {
    what: 'The account was removed.',
    todo: 'Run it on another account.',
  },
  NO_KEY: {
    what: 'The account has no API key.',
    todo: 'Add an API key in Settings > Accounts, or use This computer.',
  },
  KEY_REJECTED: {
    what: 'The provider rejected the API key.',
    todo: 'Check that the API key is complete and hasn’t expired.',
  },
  PERMISSION_DENIED: {
    what: 'This API key doesn’t have permission.',
    todo: 'Request access from the provider or use another account.',
  },
  QUOTA_EXHAUSTED: {
    what: 'The account’s quota or balance is used up.',
    data: safe,
    todo: 'Add credit or use another account, then try again.',
  },
  KEYCHAIN_UNAVAILABLE: {
    what: 'Lectern can’t use the system keychain.',
    data: 'API keys stay in memory until Lectern closes.',
    todo: 'Start a keychain service, then save the API key again.',
  },
  KEYCHAIN_LOCKED: {
    what: 'The keychain is locked.',
    data: 'Your API key is safe.',
    todo: 'Unlock the keychain, then try again.',
  },
  BASE_URL_REFUSED: {
    what: 'This base URL isn’t allowed.',
    todo: 'Use https, or http for this computer. Remove any user name, password, ?, or #.',
  },
  OFFLINE: {
    what: 'Can’t reach the provider.',
    data: 'Your library is available offline.',
    todo: 'Queued jobs resume when you’re back online. If you’re already online, check the proxy and base URL.',
  },
  TIMEOUT: {
    what: 'The provider took too long to respond.',
    data: partial,
    todo: 'Try again with a smaller request, or later.',
  },
  TLS_UNTRUSTED: {
    what: 'The provider’s certificate isn’t trusted.',
    data: 'Nothing was sent.',
    todo: 'If your network inspects traffic, add its certificate authority in Settings > Network.',
  },
  STREAM_CUT: {
    what: 'The response was interrupted.',
    data: partial,
    todo: 'Try again to get the full response.',
  },
  ANSWER_TOO_LONG: {
    what: 'The answer was cut off at {limit}.',
    plain: 'The answer was too long and was cut off.',
    data: partial,
    todo: 'Ask for a shorter answer.',
  },
  MALFORMED_REPLY: {
    what: 'Lectern can’t read the provider’s response.',
    todo: 'Check the base URL. It may lead to a web page.',
  },
  REDIRECTED: {
    what: 'The provider redirected the request. Lectern stopped to protect your API key.',
    todo: 'Correct the account’s base URL.',
  },
  RATE_LIMITED: {
    what: 'Too many requests. Try again in {seconds} s.',
    plain: 'Too many requests. The provider’s rate limit was reached.',
    data: safe,
    todo: 'Try again later, or lower the concurrency in Settings.',
  },
  OVERLOADED: {
    what: 'The provider is overloaded.',
    data: safe,
    todo: 'Try again in a few minutes.',
  },
  SERVER_ERROR: {
    what: 'The provider had an internal error.',
    data: safe,
    todo: 'Try again, or send the details to the provider.',
  },
  INVALID_INPUT: {
    what: 'The provider rejected the request.',
    named: '{what}: {value} isn’t allowed.',
    todo: 'See the details. For custom servers, check the API field names.',
  },
  MODEL_UNKNOWN: {
    what: 'The provider doesn’t have this model.',
    todo: 'Choose another model, or check the model IDs in Settings > Accounts.',
  },
  CONTEXT_TOO_LONG: {
    what: 'The context is too long for the model.',
    todo: 'Shorten it, then try again.',
  },
  CONTENT_BLOCKED: {
    what: 'The provider blocked this content.',
    todo: 'Use another account or This computer.',
  },
  NOT_IMPLEMENTED: {
    what: 'This account doesn’t support this feature.',
    knowledgeBases: 'The provider doesn’t offer knowledge bases at this base URL.',
    textToSpeech: 'The provider doesn’t offer text to speech at this base URL.',
    voiceCloning: 'The provider doesn’t offer voice cloning at this base URL.',
    voiceCloningTodo: 'Your sample is saved. Clone it with another account.',
    todo: 'Use another account.',
  },
  SERVICE_NOT_FOUND: {
    what: 'The provider couldn’t find the requested item.',
    todo: 'Check the ID. If other requests fail too, check the account’s base URL.',
  },
  SERVICE_FAILED: {
    what: 'The provider returned an error.',
    data: safe,
    todo: 'Try again. The reason is in the details.',
  },
  FILE_TOO_LARGE: {
    what: 'This file is {value}. The maximum is {limit}.',
    plain: 'This file is too large. The maximum is {limit}.',
    todo: 'Split it, or save it as MP3 or JPEG.',
  },
  AUDIO_TOO_LONG: {
    what: 'This recording is {value} long. The maximum is {limit}.',
    plain: 'This recording is too long. The maximum is {limit}.',
    data: 'It’s in your Library.',
    todo: 'Split it into parts of up to {limit}, then import them.',
  },
  UNSUPPORTED_FORMAT: {
    what: 'This file type isn’t supported ({kind}).',
    named: 'This file type isn’t supported: {name}.',
    plain: 'This file type isn’t supported.',
    foreign: 'This JSON file isn’t a Lectern chat or meeting.',
    legacy: 'This {kind} file has an older format.',
    legacyTodo: 'Save it as {ending}, then import it again.',
    protected: 'This {kind} file is password-protected or copy-protected.',
    protectedTodo: 'Save it without protection, then import it again.',
    newer: 'This JSON file is from a newer version of Lectern (format {version}).',
    todo: 'Save it as MP3, PDF, or PNG, then try again.',
  },
  DAMAGED_FILE: {
    what: 'This file is damaged or has the wrong extension.',
    start: 'This {kind} file is damaged at the beginning.',
    mp3: 'This MP3 file is damaged. No audio was found.',
    mixed: 'This MP3 file is damaged. It mixes audio formats.',
    format: 'This WAV file is damaged. Its header can’t be read.',
    'no-format': 'This WAV file is damaged. Its header is incomplete.',
    'no-data': 'This WAV file is damaged. It ends before the audio.',
    pdf: 'This PDF is damaged.',
    line: 'This JSON file is damaged or cut off at line {line}.',
    field: 'This JSON file is invalid: “{field}” is missing or has the wrong type.',
    over: 'This JSON file is too large: the limit for “{field}” is {limit}.',
    'text-file': 'This file is damaged or not a {kind} file.',
    'too-much': 'This file has more text than Lectern can show.',
    'too-muchTodo': 'Split it, then import the parts.',
    memory: 'This file needs more memory than Lectern allows ({limit} MB).',
    time: 'This file takes longer to read than Lectern allows ({limit} seconds).',
    todo: 'Download it again, or save it again in its original app.',
  },
  EMPTY_FILE: {
    what: 'This file is empty.',
    todo: 'Choose another file.',
  },
  NO_SOUND: {
    what: 'This file has no audio.',
    todo: 'Choose a file with an audio track.',
  },
  PROTECTED_SOUND: {
    what: 'This audio is copy-protected.',
    todo: 'Choose a file without copy protection.',
  },
  FILE_MISSING: {
    what: 'A file is missing from Lectern’s data folder.',
    data: 'Its text isn’t affected.',
    todo: 'Import the file again to restore it.',
  },
  FILE_UNREADABLE: {
    what: 'Lectern can’t read the file.',
    todo: 'Check that it exists and isn’t open in another app.',
  },
  LIMIT_EXCEEDED: {
    what: '{what}: {value}. The maximum is {limit}.',
    pixels: 'This image has {value} pixels. Lectern opens images of up to {limit}.',
    pixelsTodo: 'Reduce its size, then try again.',
    under: '{what}: {value}. The minimum is {limit}.',
    plain: 'This exceeds one of the provider’s limits.',
    todo: 'Change the value, or change the limit in Settings > Accounts.',
  },
  ...archiveFailures,
  DISK_FULL: {
    what: 'The disk is full.',
    room: 'Not enough disk space: {bytes} needed, {free} free.',
    data: 'This wasn’t saved. Everything saved before is safe.',
    todo: 'Free up disk space, then try again.',
  },
  ...saveFailures,
  READ_ONLY: {
    what: 'Your library is read-only.',
    todo: 'Make Lectern’s data folder writable, then restart Lectern.',
  },
  DATABASE_DAMAGED: {
    what: 'The database is damaged.',
    data: 'The damaged file is quarantined.',
    todo: 'Restart Lectern to restore the latest backup.',
  },
  DATABASE_FROM_FUTURE: {
    what: 'This library was saved by a newer version of Lectern.',
    data: 'It’s open read-only.',
    todo: 'Update Lectern.',
  },
  DATABASE_TOO_OLD: {
    what: 'A test version of Lectern wrote this database.',
    data: 'The file isn’t changed.',
    todo: 'Open it with the version that wrote it.',
  },
  DATABASE_BUSY: {
    what: 'Another program is using the database.',
    todo: 'Close backup programs and other copies of Lectern.',
  },
  ENGINE_UNAVAILABLE: {
    what: 'The on-device engine isn’t available.',
    data: safe,
    todo: 'Restart Lectern, or run the setup again.',
  },
} as const satisfies Record<ErrorCode, FailureWords>

/** Failures by code, and the labels of their panel. */
export const errors = {
  errors: words,
  failure: {
    details: 'Details',
    code: 'Code',
    message: 'Message',
    status: 'HTTP status',
    serviceCode: 'Provider code',
    serviceMessage: 'Provider message',
    requestId: 'Request ID',
    logId: 'Log ID',
    time: 'Time',
    copy: 'Copy details',
  },
}
