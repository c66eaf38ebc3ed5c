import type { Failure } from '../contract/reply.ts'

/** A voice as last listed by the provider (service-notes 3), with its local data. */
export interface Voice {
  readonly accountId: string
  /** Its ID at the provider: the `voice` of text to speech. */
  readonly voice: string
  /** Display name; the ID if the provider has none. */
  readonly name: string
  /** `PRIVATE`, `OFFICIAL`, or any other received value; empty if not reported. */
  readonly type: string
  /** `YYYY-MM-DD HH:MM:SS` in the provider's time zone; official voices have none. */
  readonly createTime: string | null
  /** URL of the preview as listed; official voices have none. */
  readonly downloadUrl: string | null
  /** The saved preview, which plays offline; null when there is none yet. */
  readonly previewId: string | null
  /** Source of the preview: the provider's own, or a sentence generated on request. */
  readonly previewKind: 'service' | 'spoken' | null
  /** Unix ms of the newest list that contained it. */
  readonly seenAt: number
  /** Unix ms of the first complete list without it; null while the provider has it. */
  readonly goneAt: number | null
  /** Number of uses here, and the last one (Unix ms). */
  readonly uses: number
  readonly usedAt: number | null
  /** Library item of the sample it was cloned from; null when it was cloned elsewhere. */
  readonly itemId: string | null
}

/** The voices of an account: the provider's list if available, otherwise the saved one. */
export interface VoiceList {
  readonly accountId: string
  readonly accountName: string
  /** All voices ever listed; removed ones last. */
  readonly voices: readonly Voice[]
  /** IDs the provider found for the requested name, best first; null without a request or response. */
  readonly found: readonly string[] | null
  /** Unix ms of the newest complete list; null if there never was one. */
  readonly at: number | null
  /** Why the saved list is shown. */
  readonly failure: Failure | null
}
