/**
 * Texts of a failure: what happened, what to do, and what it means for the data where data could be at risk.
 * `plain` replaces `what` when a value that `what` names is missing.
 */
export interface FailureWords extends ArchiveProblems, SaveProblems {
  readonly what: string
  readonly plain?: string
  /** Replaces `what` when the field itself is named. */
  readonly named?: string
  /** Replaces `what` for a value below its minimum. */
  readonly under?: string
  /** An image with more pixels than Lectern decodes. */
  readonly pixels?: string
  readonly pixelsTodo?: string
  /** Problems of a page range (`RangeProblem`). */
  readonly unreadable?: string
  readonly zero?: string
  readonly beyond?: string
  /** Problems of a JSON file (`exports/chats/read-json.ts`). */
  readonly foreign?: string
  readonly newer?: string
  readonly line?: string
  readonly field?: string
  readonly over?: string
  /** Problems of an audio file: the reason, or its type where there is none. */
  readonly start?: string
  readonly mp3?: string
  readonly mixed?: string
  readonly format?: string
  readonly 'no-format'?: string
  readonly 'no-data'?: string
  /** A PDF that cannot be read. */
  readonly pdf?: string
  /** Problems of a file that contains its text (`worker/text-pages.ts`), and of older formats. */
  readonly 'text-file'?: string
  readonly 'too-much'?: string
  readonly 'too-muchTodo'?: string
  readonly legacy?: string
  readonly legacyTodo?: string
  readonly protected?: string
  readonly protectedTodo?: string
  /** An answer of the conversation is still being written. */
  readonly answering?: string
  readonly answeringTodo?: string
  /** Another window is recording. */
  readonly otherWindow?: string
  /** An attachment that an imported chat refers to without containing it. */
  readonly imported?: string
  /** An API key entered for another base URL. */
  readonly otherOrigin?: string
  readonly otherOriginTodo?: string
  /** Problems of a certificate file. */
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
  /** Why a document or its highlights cannot be exported (`main/domains/documents/service/exports.ts`). */
  readonly encryptedPdf?: string
  readonly encryptedPdfTodo?: string
  readonly notPdf?: string
  readonly notPdfTodo?: string
  readonly noHighlights?: string
  readonly notParsed?: string
  readonly notParsedTodo?: string
  /** Why a URL from a response or a document is not loaded (`security/remote-fetch.ts`). */
  readonly remoteAddress?: string
  readonly remoteScheme?: string
  readonly remoteCredentials?: string
  readonly remotePort?: string
  readonly remoteHost?: string
  readonly remoteRedirects?: string
  readonly remoteType?: string
  /** Resource that a file needs too much of (`main/domains/documents/worker/work.ts`). */
  readonly memory?: string
  readonly time?: string
  /** Features that a provider lacks at the base URL of the account (`asNotOffered` in `main/errors.ts`). */
  readonly api?: string
  readonly apiTodo?: string
  readonly knowledgeBases?: string
  readonly textToSpeech?: string
  readonly voiceCloning?: string
  readonly voiceCloningTodo?: string
  readonly data?: string
  readonly todo: string
}

/** Problems of an archive (`main/platform/zip/archive-errors.ts`), each with its own sentence. */
interface ArchiveProblems {
  readonly truncated?: string
  readonly sum?: string
  readonly damaged?: string
  readonly packed?: string
  readonly encrypted?: string
  readonly path?: string
  readonly twice?: string
  readonly case?: string
  readonly link?: string
  readonly overlap?: string
  readonly bomb?: string
  readonly manifest?: string
  readonly database?: string
  readonly unknown?: string
  /** An archive operation is running. */
  readonly archive?: string
  /** A disk whose free space was measured. */
  readonly room?: string
}

/** Reasons why a file could not be saved (`main/domains/library/service/saves/write-copy.ts`), each with its own sentence. */
interface SaveProblems {
  readonly denied?: string
  readonly held?: string
  readonly gone?: string
  readonly long?: string
  readonly large?: string
  readonly inside?: string
}
