import type { RemoteItemKind } from '../../../shared/model/remote-item.ts'
import type { Answered } from '../../api/answer.ts'
import { parseJson } from '../../api/json.ts'
import { readResponse } from '../../api/response-parsing.ts'
import { readSlidesConversation } from '../../api/slides-events.ts'
import type { Api, CallOptions, ServiceTarget } from '../../api/types.ts'
import type { RemoteItemRecord, WantedFile } from '../../store/remote-items-types.ts'
import { contentOfResponse } from './response.ts'
import { contentOfSlides } from './slides.ts'

/** What a reading tells of what was read. */
export interface RemoteItemContent {
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
    remoteItem: RemoteItemRecord,
    options: CallOptions,
  ): Promise<{ readonly answer: Answered<unknown>; readonly reported: RemoteItemContent }>
  /** What a reply that is kept tells; throws MALFORMED_REPLY when it is none of this kind. */
  read(body: string, remoteId: string): RemoteItemContent
}

/** Every kind of what is read back. */
export const kinds: Readonly<Record<RemoteItemKind, Kind>> = {
  response: {
    operation: 'responses.retrieve',
    async ask(api, target, { remoteId }, options) {
      const answer = await api.responses.retrieve(target, { id: remoteId }, options)
      return { answer, reported: contentOfResponse(answer.value) }
    },
    read: (body, remoteId) => contentOfResponse(readResponse(parseJson(body), remoteId)),
  },
  slides: {
    operation: 'slides.conversation',
    async ask(api, target, { remoteId, asked }, options) {
      const request = { conversationId: remoteId, ...asked }
      const answer = await api.slides.conversation(target, request, options)
      return { answer, reported: contentOfSlides(answer.value) }
    },
    read: (body, conversationId) =>
      contentOfSlides(readSlidesConversation(parseJson(body), { conversationId, agentId: '' })),
  },
}
