import type { Failure } from '../bridge/reply.ts'

/** A voice as it was last listed by the service (service-notes 3), with what is kept of it here. */
export interface Voice {
  readonly accountId: string
  /** Its id at the service: what text to speech takes as `voice`. */
  readonly voice: string
  /** The friendly name; the id where the service gave none. */
  readonly name: string
  /** `PRIVATE`, `OFFICIAL`, or what else came; empty when the service did not say. */
  readonly type: string
  /** `YYYY-MM-DD HH:MM:SS` of the service's zone; official voices have none. */
  readonly createTime: string | null
  /** The address of the preview as it was listed; official voices have none. */
  readonly downloadUrl: string | null
  /** The preview that is kept here and plays offline; null when there is none yet. */
  readonly previewId: string | null
  /** Whose preview that is: the service's own, or a sentence that was spoken on request. */
  readonly previewKind: 'service' | 'spoken' | null
  /** Unix ms of the newest list that named it. */
  readonly seenAt: number
  /** Unix ms of the first whole list that did not name it any more; null while the service has it. */
  readonly goneAt: number | null
  /** How often it spoke here, and when last (Unix ms). */
  readonly uses: number
  readonly usedAt: number | null
  /** The item of the Library that holds the sample it was cloned from; null when it was cloned elsewhere. */
  readonly itemId: string | null
}

/** The voices of an account: the service's list where it answers, the kept one where it does not. */
export interface VoiceList {
  readonly accountId: string
  readonly accountName: string
  /** Every voice that was ever listed; those that are gone last. */
  readonly voices: readonly Voice[]
  /** Ids the service found for the name that was asked for, best first; null when it was not asked or did not answer. */
  readonly found: readonly string[] | null
  /** Unix ms of the newest whole list; null when there never was one. */
  readonly at: number | null
  /** Why the list is the kept one. */
  readonly failure: Failure | null
}
