import type { LookupKind } from '../../../shared/model/lookup.ts'
import type { Answered } from '../../api/answer.ts'
import { parseJson } from '../../api/json.ts'
import { readResponse } from '../../api/response-reading.ts'
import { readSlidesConversation } from '../../api/slides-events.ts'
import type { Api, CallOptions, ServiceTarget } from '../../api/types.ts'
import type { LookupRecord, WantedFile } from '../../store/lookups-types.ts'
import { toldOfResponse } from './response.ts'
import { toldOfSlides } from './slides.ts'

/** What a reading tells of what was read. */
export interface Told {
  /** How its content begins; empty when it has none that could name it. */
  readonly title: string
  readonly model: string | null
  readonly status: string | null
  /** The service still works on it. */
  readonly goesOn: boolean
  /** All that is searched of it. */
  readonly words: string
  readonly files: readonly WantedFile[]
}

/** How one kind is asked for and understood. */
export interface Kind {
  /** As the table of operations names it. */
  readonly operation: string
  ask(
    api: Pick<Api, 'responses' | 'slides'>,
    target: ServiceTarget,
    lookup: LookupRecord,
    options: CallOptions,
  ): Promise<{ readonly answer: Answered<unknown>; readonly told: Told }>
  /** What a reply that is kept tells; throws MALFORMED_REPLY when it is none of this kind. */
  read(body: string, remoteId: string): Told
}

/** Every kind of what is read back. */
export const kinds: Readonly<Record<LookupKind, Kind>> = {
  response: {
    operation: 'responses.retrieve',
    async ask(api, target, { remoteId }, options) {
      const answer = await api.responses.retrieve(target, { id: remoteId }, options)
      return { answer, told: toldOfResponse(answer.value) }
    },
    read: (body, remoteId) => toldOfResponse(readResponse(parseJson(body), remoteId)),
  },
  slides: {
    operation: 'slides.conversation',
    async ask(api, target, { remoteId, asked }, options) {
      const request = { conversationId: remoteId, ...asked }
      const answer = await api.slides.conversation(target, request, options)
      return { answer, told: toldOfSlides(answer.value) }
    },
    read: (body, conversationId) =>
      toldOfSlides(readSlidesConversation(parseJson(body), { conversationId, agentId: '' })),
  },
}
