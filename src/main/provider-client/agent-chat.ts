import { agentDefaults } from '../../shared/provider/chat-defaults.ts'
import { wireModel, isWireSpelling, type WireNames } from '../../shared/provider/profiles.ts'
import { createAgentReader, type AgentEvent, type AgentAnswer } from './agent-events.ts'
import type { Answered, CallOptions, ServiceTarget } from './types.ts'
import type { CallParts } from './call.ts'
import { checkMessages, wireMessages, type ChatMessage } from './chat-messages.ts'
import { callEvents } from './event-call.ts'
import { checkRange, illegal, requireSome } from './request-limits.ts'
import { thinkingCall } from './timeouts.ts'

/** The retrieval preset (service-notes 6). */
interface AgentRetrieval {
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
  /** Neutral ID; defaults to `gen-5v-turbo`. */
  readonly model?: string
  readonly temperature?: number
  readonly maxSteps?: number
  readonly thinking?: boolean
  /** ID of the session to continue. */
  readonly sessionId?: string
}

/** The retrieval agent (service-notes 6). */
export type AgentChatApi = ReturnType<typeof createAgentChat>

export function createAgentChat(parts: CallParts) {
  return {
    /**
     * `POST /zrag/agent/chat`. `onEvent` receives each event in order. Never retried once something was streamed, nor, within a
     * session, once the provider may have accepted it. A stream that breaks off or reports an error throws `StreamBroken` with
     * the partial answer.
     */
    async chat(
      target: ServiceTarget,
      request: AgentRequest,
      options: CallOptions & { onEvent?(event: AgentEvent): void },
    ): Promise<Answered<AgentAnswer>> {
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
          // In an existing session, a retry would add the question twice. A new session is unknown to everyone until it is
          // answered.
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

const counted = { min: 1, max: Infinity, whole: true }
const measured = { min: -Infinity, max: Infinity }

/**
 * Rejects requests the provider would reject (service-notes 6). The API reference has no upper bounds, so none are enforced.
 * Params as in request-limits.ts.
 */
function checkAgentRequest(request: AgentRequest): void {
  const { messages, retrieval, temperature, maxSteps, sessionId } = request
  checkMessages(messages)
  requireSome('know_ids', retrieval.knowledgeIds)
  for (const id of retrieval.knowledgeIds) requireSome('know_ids', id.trim())
  check('top_k', retrieval.topK, counted)
  check('top_n', retrieval.topN, counted)
  check('similarity_threshold', retrieval.similarityThreshold, measured)
  check('temperature', temperature, { ...measured, min: 0 })
  check('max_steps', maxSteps, counted)
  // Headers carry printable ASCII; anything else would be rejected further down by an error that quotes it.
  if (sessionId !== undefined && !/^[\x21-\x7e]{1,1024}$/.test(sessionId))
    throw illegal('session', sessionId.toWellFormed().slice(0, 200))
}

function check(
  what: string,
  value: number | undefined,
  bounds: Parameters<typeof checkRange>[2],
): void {
  if (value !== undefined) checkRange(what, value, bounds)
}

/** Returns the header that continues a conversation, under the profile's name for it. */
function sessionHeader(wire: WireNames, sessionId: string): Readonly<Record<string, string>> {
  // A profile may be older than this rule, or edited by hand.
  if (!isWireSpelling('agentSession', wire.agentSession))
    throw illegal('agentSession', wire.agentSession.toWellFormed().slice(0, 200))
  return { [wire.agentSession.toLowerCase()]: sessionId }
}

/** Returns the JSON body. Fields without a value are omitted, and the provider applies its defaults. */
function agentBody(request: AgentRequest, wire: WireNames, model: string): unknown {
  const { messages, retrieval, temperature, maxSteps, thinking } = request
  return {
    messages: wireMessages(messages),
    retrieval: retrievalBody(retrieval),
    model,
    ...(temperature !== undefined && { temperature }),
    ...(maxSteps !== undefined && { max_steps: maxSteps }),
    ...(thinking !== undefined && { [wire.agentThinking]: thinking }),
  }
}

function retrievalBody(retrieval: AgentRetrieval): unknown {
  const { knowledgeIds, topK, topN, rerank, similarityThreshold } = retrieval
  return {
    know_ids: knowledgeIds,
    ...(topK !== undefined && { top_k: topK }),
    ...(topN !== undefined && { top_n: topN }),
    ...(rerank !== undefined && { enable_rerank: rerank }),
    ...(similarityThreshold !== undefined && { similarity_threshold: similarityThreshold }),
  }
}
