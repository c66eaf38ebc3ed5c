import type { Answered } from './answer.ts'
import type { CallParts } from './call.ts'
import type { CallOptions, ServiceTarget } from './types.ts'
import { notBuilt } from './not-built.ts'

/** A voice (spec 2.2); official ones lack most fields (service-notes 3). */
export interface Voice {
  /** Its id. */
  readonly voice: string
  /** The friendly name; the id where there is none. */
  readonly name: string
  /** `PRIVATE`, `OFFICIAL`, or what else came; empty when missing. */
  readonly type: string
  readonly downloadUrl: string | null
  /** `YYYY-MM-DD HH:MM:SS` of the service's zone. */
  readonly createTime: string | null
}

/** Voices (spec 4.2, 4.3, service-notes 3). */
export interface VoicesApi {
  /** `POST /paas/v4/voice/clone` (spec 4.2) of a sample uploaded before with the purpose `voice-clone-input`. Creates. May take two minutes. */
  clone(
    target: ServiceTarget,
    request: {
      readonly voiceName: string
      /** What the preview says. */
      readonly input: string
      /** Id of the uploaded sample. */
      readonly fileId: string
      /** What the sample says. */
      readonly text?: string
    },
    options: CallOptions,
  ): Promise<
    Answered<{
      readonly voice: string
      /** The preview's file; fetching it is not documented, the list's `downloadUrl` is. */
      readonly fileId: string | null
      readonly filePurpose: string | null
    }>
  >
  /** `GET /paas/v4/voice/list` (spec 4.3); `name` is a fuzzy search. */
  list(
    target: ServiceTarget,
    request: { readonly name?: string; readonly type?: 'PRIVATE' | 'OFFICIAL' },
    options: CallOptions,
  ): Promise<Answered<readonly Voice[]>>
  /** `POST /paas/v4/voice/delete`. */
  delete(
    target: ServiceTarget,
    request: { readonly voice: string },
    options: CallOptions,
  ): Promise<Answered<{ readonly voice: string; readonly updateTime: string | null }>>
}

/** Builds the family over the parts every call is made of. */
export function createVoices(parts: CallParts): VoicesApi {
  return notBuilt(parts)
}
