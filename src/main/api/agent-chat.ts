import { agentDefaults } from '../../shared/service/chat-defaults.ts'
import { wireModel } from '../../shared/service/profiles.ts'
import { createAgentReader } from './agent-events.ts'
import { agentBody, checkAgentRequest, sessionHeader } from './agent-request.ts'
import type { Answered } from './answer.ts'
import type { CallParts } from './call.ts'
import { callEvents } from './event-call.ts'
import { thinkingCall } from './timeouts.ts'
import type { CallOptions, ServiceTarget } from './types.ts'

/** A piece of a message of several kinds (service-notes 6 and 8). Pictures are data URIs or addresses. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

/** A message; only `user` may be sent, a conversation is continued by its session. */
export interface ChatMessage {
  readonly role: 'user'
  readonly content: string | readonly ContentPart[]
}

/** The retrieval preset (service-notes 6). */
export interface AgentRetrieval {
  readonly knowledgeIds: readonly string[]
  readonly topK?: number
  readonly topN?: number
  readonly rerank?: boolean
  readonly similarityThreshold?: number
}

/** A question to the retrieval agent (service-notes 6). */
export interface AgentRequest {
  readonly messages: readonly ChatMessage[]
  readonly retrieval: AgentRetrieval
  /** Neutral id; `gen-5v-turbo` when absent. */
  readonly model?: string
  readonly temperature?: number
  readonly maxSteps?: number
  readonly thinking?: boolean
  /** Continues a conversation. */
  readonly sessionId?: string
}

/** One event of the agent's stream (service-notes 6), read leniently: `data` may come as text or object in every kind. */
export type AgentEvent =
  | { readonly type: 'session_created'; readonly sessionId: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'thought'; readonly text: string }
  | {
      readonly type: 'tool_call'
      readonly callId: string
      readonly tool: string
      readonly arguments: unknown
    }
  | {
      readonly type: 'tool_result'
      readonly callId: string
      readonly tool: string
      readonly result: unknown
      /** `success`, `error`, or what else came. */
      readonly status: string
      readonly durationMs: number | null
    }
  | { readonly type: 'answer'; readonly text: string }
  | { readonly type: 'done'; readonly messageId: string | null; readonly answer: string | null }
  /** Shown, never dropped. */
  | { readonly type: 'unknown'; readonly name: string; readonly data: unknown }

/** What an answer comes to; also what a cut stream had brought (`complete` false). */
export interface AgentAnswer {
  readonly sessionId: string | null
  readonly messageId: string | null
  /** The `done` event's text where it brings one, else the joined pieces. Reference marks stay in. */
  readonly answer: string
  readonly reasoning: string
  /** Calls the agent made in all, where told. */
  readonly totalCalls: number | null
  /** Why the model ended, where told: `length` for an answer that was cut off. */
  readonly finishReason: string | null
  readonly complete: boolean
}

/** The retrieval agent (service-notes 6). */
export interface AgentChatApi {
  /**
   * `POST /zrag/agent/chat`. `onEvent` gets each event in order. Never repeated once something was streamed, nor, within a session, once it may have been taken. A stream that
   * breaks off or tells an error throws `StreamBroken` with the answer so far.
   */
  chat(
    target: ServiceTarget,
    request: AgentRequest,
    options: CallOptions & { onEvent?(event: AgentEvent): void },
  ): Promise<Answered<AgentAnswer>>
}

/** Builds the family over the parts every call is made of. */
export function createAgentChat(parts: CallParts): AgentChatApi {
  return {
    async chat(target, request, options) {
      checkAgentRequest(request)
      const model = wireModel(target.profile, request.model ?? agentDefaults.model)
      const { wire } = target.profile
      const { sessionId } = request
      return callEvents(
        parts,
        target,
        {
          operation: 'agents.chat',
          model,
          // In a session that goes on, the question would stand twice. A new one is known to nobody before it is answered.
          repeat: sessionId === undefined ? 'safe' : 'turn',
          path: '/zrag/agent/chat',
          ...(sessionId !== undefined && { headers: sessionHeader(wire, sessionId) }),
          json: () => agentBody(request, wire, model),
          accept: 'text/event-stream',
          timeouts: thinkingCall(parts.longCall),
          open: (streamed) =>
            createAgentReader((event) => {
              streamed(event)
              options.onEvent?.(event)
            }),
        },
        options,
      )
    },
  }
}
