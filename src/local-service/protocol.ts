import type { MessagePort } from 'node:worker_threads'

/** Start data of the service worker (`workerData`). */
export interface LocalServiceWorkerData {
  /** Bearer key that every request must send. */
  readonly key: string
  /** Folder for uploads; created if missing. */
  readonly home: string
  /** Folder that contains one folder per model. */
  readonly modelsDir: string
  /** URLs of the engine worker programs. */
  readonly workerUrls: { readonly speech: string; readonly text: string; readonly pages: string }
  /** 0 or absent: any free port. */
  readonly port?: number
  readonly faults?: boolean
  /** Whether the thread that starts the service answers `search`. */
  readonly library?: boolean
}

/** Message from the service worker to the thread that started it. */
export type LocalServiceMessage =
  /** The service is listening; `url` has no trailing slash. */
  | { readonly type: 'ready'; readonly url: string }
  /** The service could not start; the worker exits. */
  | { readonly type: 'failed'; readonly reason: string }
  /** Requests a process for one of its programs, connected to the other end of this port. */
  | { readonly type: 'process'; readonly port: MessagePort }
  /** Requests passages of the Library; the reply is `passages` with the same ID. */
  | {
      readonly type: 'search'
      readonly id: number
      readonly query: string
      readonly limit: number
    }

/** Message to the service worker from the thread that started it. */
export type LocalServiceRequest =
  /** Requests an orderly shutdown, after which the worker exits. */
  | { readonly type: 'stop' }
  /** Results of a `search`; empty if it failed. */
  | {
      readonly type: 'passages'
      readonly id: number
      readonly passages: readonly LibraryPassage[]
    }

/** Audio file type as detected from its content. */
export type AudioKind = 'wav' | 'mp3'

/** Job of the speech worker. `audio` is the whole file and is transferred. */
export interface SpeechRequest {
  readonly kind: AudioKind
  readonly audio: Uint8Array<ArrayBuffer>
}

export type AudioProblem = 'damaged' | 'too-long'

/** Transcription result with quality measures. */
export interface SpeechOutcome {
  readonly text: string
  /** Whether the audio is silent (below -80 dBFS), so that the model was not run. */
  readonly silent: boolean
  /** Mean natural logarithm of the token probabilities, at best 0; null without tokens. */
  readonly confidence: number | null
  readonly tokens: number
  /** Whether the model produced more text than audio of this length can contain, because it was in a loop. */
  readonly endless: boolean
  /** Length of the audio in seconds, and time the model took in milliseconds. */
  readonly seconds: number
  readonly tookMs: number
}

/**
 * Progress of the speech worker: the audio was decoded and transcription started, then the text as it is produced.
 */
export type SpeechProgress =
  | { readonly type: 'started' }
  | { readonly type: 'delta'; readonly text: string }

/** A passage of the user's Library, found by keyword search. */
export interface LibraryPassage {
  readonly itemId: string
  readonly title: string
  readonly text: string
  /** Page of a document, from 1. */
  readonly page?: number
  /** Of a meeting: when each line of the text was said, in seconds. */
  readonly times?: readonly number[]
}
