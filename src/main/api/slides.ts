import type { Answered } from './answer.ts'
import type { CallParts } from './call.ts'
import type { CallOptions, ServiceTarget } from './types.ts'
import { notBuilt } from './not-built.ts'

/** Neutral id of the slides agent, the only one this family serves. */
export const slidesAgent = 'slides_gen_agent'

/** A piece of a slides message (spec 4.6). */
export interface SlidesContent {
  readonly type: string
  readonly text: string | null
  readonly tagCn: string | null
  readonly tagEn: string | null
  readonly fileUrl: string | null
  readonly imageUrl: string | null
  /** The piece as it came: tool objects of the talk stream live here. */
  readonly raw: unknown
}

/** A conversation with the slides agent (spec 4.6); `message` and `messages`, single and several are read alike. */
export interface SlidesConversation {
  readonly conversationId: string
  readonly agentId: string
  readonly messages: readonly {
    readonly role: string
    /** `thinking`, `tool`, `answer` in the talk stream; null in the history. */
    readonly phase: string | null
    readonly content: readonly SlidesContent[]
  }[]
}

/** The slides agent (spec 4.6, service-notes 10). A 200 with `status: failed` is an error. */
export interface SlidesApi {
  /** `POST /v1/agents/conversation` (spec 4.6). Safe to repeat. */
  conversation(
    target: ServiceTarget,
    request: {
      readonly conversationId: string
      readonly includePdf?: boolean
      /** Centimetres. */
      readonly pages?: readonly {
        readonly position: number
        readonly width: number
        readonly height: number
      }[]
    },
    options: CallOptions,
  ): Promise<Answered<SlidesConversation>>
  /** `POST /v1/agents`, the only mode being a stream (service-notes 10). Creates. */
  talk(
    target: ServiceTarget,
    request: { readonly text: string; readonly conversationId?: string },
    options: CallOptions & { onMessage?(message: SlidesConversation['messages'][number]): void },
  ): Promise<Answered<SlidesConversation>>
}

/** Builds the family over the parts every call is made of. */
export function createSlides(parts: CallParts): SlidesApi {
  return notBuilt(parts)
}
