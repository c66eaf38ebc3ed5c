import type { ErrorCode } from '../../../../shared/bridge/reply.ts'
import { archiveFailures, type ArchiveProblems } from './archiveFailures.ts'
import { saveFailures, type SaveProblems } from './saving.ts'

/**
 * What the user reads about a failure: what happened, what it means for the data, what to do.
 * `plain` stands in for `what` when a value that `what` names did not come along.
 */
export interface FailureWords extends ArchiveProblems, SaveProblems {
  readonly what: string
  readonly plain?: string
  /** Stands in for `what` when the thing itself came along. */
  readonly named?: string
  /** The same for a value below its least. */
  readonly under?: string
  /** What is wrong with a piece of a choice of pages (`RangeProblem`). */
  readonly unreadable?: string
  readonly zero?: string
  readonly beyond?: string
  /** What is wrong with a json (`exports/chats/read-json.ts`). */
  readonly foreign?: string
  readonly newer?: string
  readonly line?: string
  readonly field?: string
  readonly over?: string
  /** What is wrong with a file of sound: the reason, or the kind where there is none. */
  readonly start?: string
  readonly mp3?: string
  readonly mixed?: string
  readonly format?: string
  readonly 'no-format'?: string
  readonly 'no-data'?: string
  /** Another page records. */
  readonly otherWindow?: string
  /** An attachment that only an imported conversation names. */
  readonly imported?: string
  /** A key that was typed for another host. */
  readonly otherOrigin?: string
  readonly otherOriginTodo?: string
  /** What is wrong with a file of certificates. */
  readonly caDataFolder?: string
  readonly caDataFolderTodo?: string
  readonly caNetworkPath?: string
  readonly caNetworkPathTodo?: string
  readonly caSize?: string
  readonly caSizeTodo?: string
  readonly caUnreadable?: string
  readonly caUnreadableTodo?: string
  readonly caContent?: string
  readonly caContentTodo?: string
  /** Why an address that a reply or a document names is not fetched (`security/remote-fetch.ts`). */
  readonly remoteAddress?: string
  readonly remoteScheme?: string
  readonly remoteCredentials?: string
  readonly remotePort?: string
  readonly remoteHost?: string
  readonly remoteRedirects?: string
  readonly remoteType?: string
  /** What a file takes more of than it may (`main/documents/asker.ts`). */
  readonly memory?: string
  readonly memoryTodo?: string
  readonly time?: string
  readonly timeTodo?: string
  readonly data: string
  readonly todo: string
}

const kept = 'What you have is safe and unchanged.'
const file = 'Nothing is lost: files and texts stay in the library.'
const yours = 'Your own file is untouched.'
const words = {
  BAD_REQUEST: {
    what: 'Lectern asked itself for something it does not accept.',
    named: '{what}: {reason}',
    unreadable: '“{piece}” names no pages.',
    zero: '“{piece}” is no page: they count from 1.',
    beyond: '“{piece}” lies after the last page, {pages}.',
    data: kept,
    todo: 'Correct what was entered. If nothing was entered, copy the details and report them.',
  },
  ROUTE_NOT_FOUND: {
    what: 'This page and the running Lectern do not fit together.',
    data: kept,
    todo: 'Reload the page, or start Lectern again.',
  },
  INTERNAL: {
    what: 'Something inside Lectern went wrong.',
    data: kept,
    todo: 'Try again. If it stays, copy the details and report them.',
  },
  CANCELLED: {
    what: 'This was stopped.',
    data: 'What had come before is kept.',
    todo: 'Run it again whenever you like.',
  },
  NOT_FOUND: {
    what: 'This does not exist any more.',
    data: 'Everything else is unchanged.',
    todo: 'It may be in the bin.',
  },
  REFUSED: {
    what: 'This is not possible now.',
    otherOrigin: 'The account’s base URL changed while you were entering the API key.',
    otherOriginTodo: 'Check the base URL, then enter the API key again.',
    caDataFolder: 'The certificate file is in Lectern’s data folder.',
    caDataFolderTodo: 'Choose a file in another folder.',
    caNetworkPath: 'The certificate file isn’t on this computer.',
    caNetworkPathTodo: 'Copy it to this computer, then choose the copy.',
    caSize: 'The file is larger than 1 MB or isn’t a regular file.',
    caSizeTodo: 'Choose a PEM or DER file.',
    caUnreadable: 'Lectern couldn’t read the certificate file.',
    caUnreadableTodo: 'Check that it exists and that you have permission to read it.',
    caContent: 'The file contains no readable certificate.',
    caContentTodo: 'Choose a PEM or DER file.',
    otherWindow:
      'Another Lectern window is recording. Stop that recording first, or continue in that window.',
    imported:
      'What came with this question is only named by the file it was read in from, and is not sent. Edit the question, and attach it again.',
    remoteAddress: 'This isn’t a valid URL.',
    remoteScheme: 'Lectern fetches only http and https URLs.',
    remoteCredentials: 'Lectern doesn’t fetch URLs that contain a user name or password.',
    remotePort: 'Lectern doesn’t fetch URLs with an unusual port.',
    remoteHost: 'This URL points into a private network. Lectern fetches only from public hosts.',
    remoteRedirects: 'This URL redirects too often.',
    remoteType: 'This URL returned another type of file.',
    data: kept,
    todo: 'If something is running for it, wait until it is done.',
  },
  LEFT_UNFINISHED: {
    what: 'Lectern was closed, or ended, while this was running.',
    data: 'What had come before is kept, marked as unfinished.',
    todo: 'Run it again. If it makes something at the service, look there first: it may be done.',
  },
  NO_KEY: {
    what: 'The account has no API key.',
    data: file,
    todo: 'Add an API key in Settings > Service accounts or switch to This computer. Then try again.',
  },
  KEY_REJECTED: {
    what: 'The provider rejected the API key.',
    data: 'Your saved API key is unchanged.',
    todo: 'Check that the API key is complete, belongs to this provider, and hasn’t expired. Replace it if necessary.',
  },
  PERMISSION_DENIED: {
    what: 'The key may not do this.',
    data: kept,
    todo: 'Ask for the permission at the service, or use another account.',
  },
  QUOTA_EXHAUSTED: {
    what: 'The account’s quota or balance is used up.',
    data: file,
    todo: 'Top it up at the service, or switch to another account; then retry.',
  },
  KEYCHAIN_UNAVAILABLE: {
    what: 'Lectern can’t use the system keychain.',
    data: 'API keys are kept in memory until Lectern closes. They’re never written to a file.',
    todo: 'To keep the API key, start a keychain service, then save the key again.',
  },
  KEYCHAIN_LOCKED: {
    what: 'The keychain is locked.',
    data: 'Your API key is safe, but Lectern can’t read it right now.',
    todo: 'Unlock the keychain, then try again.',
  },
  BASE_URL_REFUSED: {
    what: 'This base URL is not allowed.',
    data: 'Nothing was sent.',
    todo: 'Use https, or http for this computer only, with no name, password, ? or # in it.',
  },
  OFFLINE: {
    what: 'The service cannot be reached.',
    data: 'Everything you have stays readable, searchable and playable.',
    todo: 'Work that waits goes on by itself when the network is back. If other sites work, check proxy and base URL.',
  },
  TIMEOUT: {
    what: 'The service took too long to answer.',
    data: 'What had come before is kept.',
    todo: 'Try again. Less at a time, or a quieter hour, may help.',
  },
  TLS_UNTRUSTED: {
    what: 'The provider’s certificate isn’t trusted.',
    data: 'Nothing was sent, including your API key.',
    todo: 'If your network inspects encrypted traffic, add its certificate authority in Settings > Network.',
  },
  STREAM_CUT: {
    what: 'The answer broke off half way.',
    data: 'The words that had come are kept, marked as unfinished.',
    todo: 'Retry; the whole text then replaces the part.',
  },
  ANSWER_TOO_LONG: {
    what: 'The answer was longer than {limit}, so Lectern cut it.',
    plain: 'The answer was too long, so Lectern cut it.',
    data: 'What came before is saved.',
    todo: 'Ask for a shorter answer.',
  },
  MALFORMED_REPLY: {
    what: 'The service answered with something unreadable.',
    data: kept,
    todo: 'Check the base URL: it may lead to a web page or a sign-in portal. Then try again.',
  },
  REDIRECTED: {
    what: 'The provider redirected the request. Lectern stopped to protect your API key.',
    data: 'Your API key was sent only to the base URL.',
    todo: 'Correct the base URL of the account.',
  },
  RATE_LIMITED: {
    what: 'The service asks to wait {seconds} seconds.',
    plain: 'The service asks for a pause: too many calls in a short time.',
    data: file,
    todo: 'Retry after the pause. Fewer calls at once (Settings, Advanced) help.',
  },
  OVERLOADED: {
    what: 'The service is overloaded.',
    data: file,
    todo: 'Try again in a few minutes.',
  },
  SERVER_ERROR: {
    what: 'The service had an error of its own.',
    data: file,
    todo: 'Try again. If it stays, give the request id to the service’s support.',
  },
  INVALID_INPUT: {
    what: 'The service did not accept the request.',
    named: '{what}: {value} is not possible here.',
    data: file,
    todo: 'The details hold its reason. Correct what was asked; if nothing is wrong with it, look at the names the service takes in Settings, Service accounts, Advanced.',
  },
  MODEL_UNKNOWN: {
    what: 'The service does not know the model.',
    data: file,
    todo: 'Choose a model the service has. Prefix and names of models are told in Settings, Service accounts, Advanced.',
  },
  CONTEXT_TOO_LONG: {
    what: 'The text sent along is too long for the model.',
    data: file,
    todo: 'Shorten the context and run it again.',
  },
  CONTENT_BLOCKED: {
    what: 'The service refused the content.',
    data: 'What you have stays here as it is.',
    todo: 'Use another account, or This computer, for it.',
  },
  NOT_IMPLEMENTED: {
    what: 'This service cannot do this.',
    data: kept,
    todo: 'Use another account for it.',
  },
  SERVICE_NOT_FOUND: {
    what: 'The service has nothing at this address.',
    data: kept,
    todo: 'Check the id that was asked for: it may be gone. If nothing works, check the account’s base URL.',
  },
  SERVICE_FAILED: {
    what: 'The service says that it failed.',
    data: file,
    todo: 'The details hold what it said. Try again.',
  },
  FILE_TOO_LARGE: {
    what: 'This file is {value}; at most {limit} can be sent.',
    plain: 'This file is too large; at most {limit} can be sent.',
    data: 'If it was added, it stays in the library. Your own file is untouched.',
    todo: 'Cut it into parts, or save it smaller: sound as mp3, pictures as JPEG.',
  },
  AUDIO_TOO_LONG: {
    what: 'This recording is {value} long; at most {limit} can be recognised.',
    plain: 'This recording is too long; at most {limit} can be recognised.',
    data: 'It stays in the library and plays.',
    todo: 'Cut it into pieces of at most {limit} and import those.',
  },
  UNSUPPORTED_FORMAT: {
    what: 'This kind of file is not taken here (it looks like {kind}).',
    named: 'This kind of file is not taken here: {name}.',
    plain: 'This kind of file is not taken here.',
    foreign: 'This JSON holds no conversation and no meeting that Lectern wrote.',
    newer: 'A newer Lectern wrote this JSON (version {version} of the format).',
    data: yours,
    todo: 'Lectern opens audio, video, PDF and pictures. Save it as MP3, PDF or PNG and try again.',
  },
  DAMAGED_FILE: {
    what: 'This file is damaged, or not the kind of file its name says.',
    start: 'This file is damaged: it doesn’t begin like {kind}.',
    mp3: 'This MP3 file is damaged: no audio was found behind its beginning.',
    mixed: 'This MP3 file is damaged: it holds audio of different formats.',
    format: 'This WAV file is damaged: its header can’t be read.',
    'no-format': 'This WAV file is damaged: its header is cut off.',
    'no-data': 'This WAV file is damaged: it ends before the audio.',
    line: 'This JSON is broken or cut off at line {line}.',
    field: 'This JSON does not hold together: “{field}” is missing or not what it should be.',
    over: 'This JSON holds too much: “{field}” may have at most {limit}.',
    memory: 'This file needs more memory than Lectern allows ({limit} MB).',
    memoryTodo: 'Save it again in its own program, or split it into smaller files.',
    time: 'This file takes longer to read than Lectern allows ({limit} seconds).',
    timeTodo: 'Save it again in its own program, or split it into smaller files.',
    data: yours,
    todo: 'Get it again from where it came from, or save it again in the program that made it.',
  },
  EMPTY_FILE: {
    what: 'This file is empty.',
    data: yours,
    todo: 'Choose another file.',
  },
  NO_SOUND: {
    what: 'There is no sound in this file.',
    data: yours,
    todo: 'Choose a file with a sound track.',
  },
  PROTECTED_SOUND: {
    what: 'The sound of this file is locked by its seller.',
    data: yours,
    todo: 'Choose a file without copy protection.',
  },
  FILE_MISSING: {
    what: 'A file is missing from Lectern’s data folder.',
    data: 'Its text is not affected.',
    todo: 'Import the file again, and it finds its place.',
  },
  FILE_UNREADABLE: {
    what: 'Lectern can’t read the file.',
    data: 'Nothing was changed.',
    todo: 'It may have moved, be open in another program, or need permission. Close other programs or copy the file to another folder, then try again.',
  },
  LIMIT_EXCEEDED: {
    what: '{what}: {value}, and at most {limit} are allowed.',
    under: '{what}: {value}, and at least {limit} are needed.',
    plain: 'This is over a limit of the service.',
    data: 'Nothing was sent.',
    todo: 'Change it and try again. Hosts with other limits can be told so under Advanced.',
  },
  ...archiveFailures,
  DISK_FULL: {
    what: 'The disk is full.',
    room: 'The disk has too little room: {bytes} are needed, {free} are free.',
    data: 'What was saved before is safe; this was not saved.',
    todo: 'Make room on the disk and try again.',
  },
  ...saveFailures,
  READ_ONLY: {
    what: 'Lectern is open for reading only.',
    data: 'Nothing was changed.',
    todo: 'Start Lectern where its data folder can be written to.',
  },
  DATABASE_DAMAGED: {
    what: 'The database is damaged.',
    data: 'Lectern keeps backups and puts the damaged file aside.',
    todo: 'Start Lectern again: it restores the last good backup.',
  },
  DATABASE_FROM_FUTURE: {
    what: 'The database was written by a newer Lectern.',
    data: 'It is opened for reading only, and nothing in it is changed.',
    todo: 'Update Lectern.',
  },
  DATABASE_BUSY: {
    what: 'Another program holds the database.',
    data: kept,
    todo: 'Close a second Lectern or the backup program, and try again.',
  },
  ENGINE_UNAVAILABLE: {
    what: 'The engine on this computer is not available.',
    data: file,
    todo: 'Start Lectern again. If it stays, run its set-up once more: the model may be missing.',
  },
} as const satisfies Record<ErrorCode, FailureWords>

/** Failures by code, and the words of their panel. */
export const errors = {
  errors: words,
  failure: {
    details: 'Details',
    code: 'Code',
    message: 'Message',
    status: 'HTTP status',
    serviceCode: 'Service code',
    serviceMessage: 'Service message',
    requestId: 'Request id',
    logId: 'Log id',
    time: 'Time',
    copy: 'Copy details',
  },
}
