import type { Limits } from '../../shared/provider/limits.ts'
import type { Profile } from '../../shared/provider/profiles.ts'
import type { NewActivityCall } from '../library-database/types.ts'
import type { Clock, Ids } from '../deps.ts'
import type { Usage } from './usage.ts'

/** Target of a call. Created for each call, so that a changed key or profile is used at once. */
export interface ServiceTarget {
  readonly accountId: string
  readonly accountName: string
  /** Without trailing slash. */
  readonly baseUrl: string
  /** The bearer key. Never logged, never part of an error. */
  readonly key: string
  readonly profile: Profile
  readonly limits: Limits
}

/** Request about one object of the provider. */
export interface ById {
  readonly id: string
}

/** Options of every call in addition to its own request. */
export interface CallOptions {
  readonly signal?: AbortSignal
  /** 6 to 64 characters; generated when absent, and the same for all retries of a call. */
  readonly requestId?: string
  /** Set when the raw response is not needed: only the beginning of a stream is stored. */
  readonly omitRawResponse?: true
  /** Set for requests that Activity doesn’t list: frequent ones on this computer that no user started. */
  readonly unlisted?: true
}

/**
 * An audio file to transcribe (service-notes 4), on disk or in memory. `bytes` and `seconds` were read by
 * `media/audio-header.ts`, or are known.
 */
export interface TranscriptionRequest {
  readonly file: ({ readonly path: string } | { readonly content: Uint8Array }) & {
    readonly bytes: number
    readonly name: string
    readonly mime: 'audio/wav' | 'audio/mpeg'
    readonly seconds: number
  }
  readonly prompt: string
  readonly hotwords: readonly string[]
  readonly stream: boolean
  /** ID of the end user (service-notes 16), for the provider's abuse handling. */
  readonly userId?: string
}

/** Result of a transcription, streamed or not (service-notes 4). */
export interface TranscriptionResult {
  readonly text: string
  /** Whether the provider found no speech: an empty text, or one of the sentences that describe silence. */
  readonly noSpeech: boolean
  /**
   * Source of the transcript: the engine named in the response (the local service does), otherwise the model ID.
   */
  readonly model: string
  readonly requestId: string | null
  /** Top-level `notice` text of the response (the local service reports the limitations of its engine there). */
  readonly notice: string | null
  /** Raw response body: JSON, or the text of the event stream. */
  readonly raw: { readonly status: number; readonly contentType: string; readonly body: string }
}

export interface ApiDeps {
  readonly clock: Clock
  readonly ids: Ids
  /** Called once for each attempt, whatever its outcome. Must not throw. */
  record(call: NewActivityCall): void
  /** `http://host:port` of the proxy for this URL, or null for a direct connection. */
  proxyFor(url: string): Promise<string | null>
  /** PEM texts trusted in addition to the built-in and system authorities. */
  extraCa(): Promise<readonly string[]>
}

/** A raw response, with the key masked in case the provider repeats it. */
export interface RawReply {
  readonly status: number
  /** As sent; empty when missing. */
  readonly contentType: string
  /** JSON, or the text of the event stream; for files a short JSON note about the stored file. */
  readonly body: string
}

/** Parsed response, with the fields that responses of every family may contain. */
export interface Answered<T> {
  readonly value: T
  /** The response's own ID if it has one, otherwise the ID that was sent. */
  readonly requestId: string
  /** Engine that answered, if the response names it (the local service does). */
  readonly engine: string | null
  /** Limitations of the engine in the provider's words; the local service includes them in every such response. */
  readonly notice: string | null
  readonly usage: Usage
  readonly raw: RawReply
}
