import type { SlidesConversation } from '../../shared/model/slides.ts'
import type { Answered, CallOptions, ServiceTarget } from './types.ts'
import type { CallParts } from './call.ts'
import { callEvents } from './event-call.ts'
import { endpointsOf } from './json-call.ts'
import { checkRange, illegal, requireSome } from './request-limits.ts'
import { createSlidesReader, readSlidesConversation } from './slides-events.ts'
import { thinkingCall } from './timeouts.ts'

/** Neutral ID of the slides agent, the only one this family serves. */
const slidesAgent = 'slides_gen_agent'

/** Page sizes in centimeters. */
interface PageSize {
  readonly position: number
  readonly width: number
  readonly height: number
}

/** The slides agent (service-notes 10). A 200 with `status: failed` is an error. */
export type SlidesApi = ReturnType<typeof createSlides>

export function createSlides(parts: CallParts) {
  const endpoint = endpointsOf(parts)
  return {
    /** `POST /v1/agents/conversation` (service-notes 10). Safe to repeat. */
    conversation: endpoint(
      'slides.conversation',
      (
        request: {
          readonly conversationId: string
          readonly includePdf?: boolean
          readonly pages?: readonly PageSize[]
        },
        target,
      ) => {
        const { conversationId, includePdf, pages } = request
        requireSome('conversation_id', conversationId)
        for (const page of pages ?? []) checkPage(page)
        const variables = {
          ...(includePdf !== undefined && { include_pdf: includePdf }),
          ...(pages && {
            pages: pages.map(({ position, width, height }) => ({ position, width, height })),
          }),
        }
        const agentId = agentOf(target)
        return {
          path: '/v1/agents/conversation',
          json: () => ({
            agent_id: agentId,
            conversation_id: conversationId,
            ...(Object.keys(variables).length > 0 && { custom_variables: variables }),
          }),
          // The file may have to be generated first.
          timeouts: parts.longCall,
          read: (json) => readSlidesConversation(json, { conversationId, agentId }),
        }
      },
    ),

    /** `POST /v1/agents`, which only supports streaming (service-notes 10). Not safe to repeat. */
    async talk(
      target: ServiceTarget,
      { text, conversationId }: { readonly text: string; readonly conversationId?: string },
      options: CallOptions & { onMessage?(message: SlidesConversation['messages'][number]): void },
    ): Promise<Answered<SlidesConversation>> {
      requireSome('text', text.trim())
      if (conversationId !== undefined) requireSome('conversation_id', conversationId)
      const agentId = agentOf(target)
      const names = { conversationId: conversationId ?? '', agentId }
      return callEvents(
        parts,
        target,
        {
          operation: 'slides.talk',
          model: null,
          repeat: 'creating',
          path: '/v1/agents',
          json: () => ({
            agent_id: agentId,
            stream: true,
            ...(conversationId !== undefined && { conversation_id: conversationId }),
            messages: [{ role: 'user', content: [{ type: 'text', text }] }],
          }),
          accept: 'text/event-stream',
          timeouts: thinkingCall(parts.longCall),
          open: (streamed) =>
            createSlidesReader(names, (message) => {
              streamed(message)
              options.onMessage?.(message)
            }),
        },
        options,
      )
    },
  }
}

/** Returns the agent's ID as this host spells it. */
function agentOf({ profile }: ServiceTarget): string {
  const { agentIds } = profile
  return (Object.hasOwn(agentIds, slidesAgent) && agentIds[slidesAgent]) || slidesAgent
}

function checkPage(page: PageSize): void {
  checkRange('position', page.position, { min: -Infinity, max: Infinity })
  for (const what of ['width', 'height'] as const)
    if (!(page[what] > 0 && page[what] < Infinity)) throw illegal(what, String(page[what]))
}
