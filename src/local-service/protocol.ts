import type { MessagePort } from 'node:worker_threads'
import type { LibraryPassage } from './context.ts'

/** What the service's worker is started with (`workerData`). */
export interface LocalServiceWorkerData {
  /** The bearer key every call must bring. */
  readonly key: string
  /** Folder for uploads; made when missing. */
  readonly home: string
  /** Folder that holds one folder per model. */
  readonly modelsDir: string
  /** URLs of the programs of the engines' workers. */
  readonly workerUrls: { readonly speech: string; readonly text: string; readonly pages: string }
  /** 0 or absent: any free port. */
  readonly port?: number
  readonly faults?: boolean
  /** The thread that starts the service answers `search`. */
  readonly library?: boolean
}

/** What the service's worker tells the thread that started it. */
export type LocalServiceMessage =
  /** It listens; `url` has no trailing slash. */
  | { readonly type: 'ready'; readonly url: string }
  /** It could not start, and ends. */
  | { readonly type: 'failed'; readonly reason: string }
  /** It wants a process for one of its programs, at the other end of this port. */
  | { readonly type: 'process'; readonly port: MessagePort }
  /** It asks for passages of the Library; the answer is `passages` with the same id. */
  | {
      readonly type: 'search'
      readonly id: number
      readonly query: string
      readonly limit: number
    }

/** What the thread that started the service tells it. */
export type LocalServiceRequest =
  /** An orderly end, after which the worker exits. */
  | { readonly type: 'stop' }
  /** What a `search` found; nothing when it failed. */
  | {
      readonly type: 'passages'
      readonly id: number
      readonly passages: readonly LibraryPassage[]
    }

/** What the speech worker is started with (`workerData`). */
export interface SpeechWorkerData {
  readonly modelsDir: string
}

/** A sound file as its content says. */
export type AudioKind = 'wav' | 'mp3'

/** A job of the speech worker. `audio` is the whole file and is transferred. */
export interface SpeechRequest {
  readonly kind: AudioKind
  readonly audio: Uint8Array<ArrayBuffer>
}

/** What is wrong with a sound. */
export type AudioProblem = 'damaged' | 'too-long'

/** What a transcription is worth, beside its words. */
export interface SpeechOutcome {
  readonly text: string
  /** Nothing to hear at all (below -80 dB of full scale); the model was not asked. */
  readonly silent: boolean
  /** Mean natural logarithm of the probability of each token, 0 at best; null without tokens. */
  readonly confidence: number | null
  readonly tokens: number
  /** The model went on past what speech of this length can hold, as it does when it goes round in circles. */
  readonly endless: boolean
  /** Length of the sound in seconds, and the time the model took in milliseconds. */
  readonly seconds: number
  readonly tookMs: number
}

/** What the speech worker tells on its way: that the sound was decoded and the model listens, then the words as they come. */
export type SpeechProgress =
  | { readonly type: 'started' }
  | { readonly type: 'delta'; readonly text: string }
