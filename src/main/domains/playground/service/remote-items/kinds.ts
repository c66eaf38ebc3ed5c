import type { RemoteItemKind } from '../../../../../shared/model/remote-item.ts'
import type { Answered, CallOptions, ServiceTarget } from '../../../../provider-client/types.ts'
import { parseJson } from '../../../../provider-client/json.ts'
import { readResponse } from '../../../../provider-client/response-parsing.ts'
import { readSlidesConversation } from '../../../../provider-client/slides-events.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { RemoteItemRecord, RemoteItemContent } from '../../store/remote-items-types.ts'
import { contentOfResponse } from './response.ts'
import { contentOfSlides } from './slides.ts'

/** Requests and parses one kind of item. */
interface Kind {
  /** Name in the table of operations. */
  readonly operation: string
  ask(
    api: Pick<Api, 'responses' | 'slides'>,
    target: ServiceTarget,
    remoteItem: RemoteItemRecord,
    options: CallOptions,
  ): Promise<{ readonly answer: Answered<unknown>; readonly reported: RemoteItemContent }>
  /** Parses a saved response; throws MALFORMED_REPLY if it is not of this kind. */
  read(body: string, remoteId: string): RemoteItemContent
}

/** All kinds of remote items. */
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
