/** Wall clock in Unix milliseconds; always passed as an argument, so that tests control time. */
export type Clock = () => number

/** Creates IDs: at least 22 URL-safe characters that increase with time, so that IDs sort by creation. */
export type Ids = () => string

/** The app's log: redacted before it is written. `fields` are plain values only. */
export interface Log {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void
  error(message: string, fields?: Readonly<Record<string, unknown>>): void
}

/** Programs that run outside the main thread; each is one file in src/main/workers or src/local-service. */
export type WorkerName =
  | 'search'
  | 'vectors'
  | 'database-check'
  | 'pdf-pages'
  | 'recorder'
  | 'audio'
  | 'samples'
  | 'voice-activity'
  | 'exports'
  | 'speech-output'
  | 'archive'
  | 'documents'
  | 'own-process'
  | 'local-service'
  | 'speech'
  | 'text'
  | 'pages'

/** URL of a worker program: sources under plain Node, one bundled file each in the built app. */
export type WorkerUrl = (name: WorkerName) => URL
