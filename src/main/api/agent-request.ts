import { isWireSpelling } from '../../shared/service/profiles.ts'
import type { WireNames } from '../../shared/service/profiles.ts'
import type { AgentRequest, AgentRetrieval } from './agent-chat.ts'
import { checkMessages, wireMessages } from './chat-messages.ts'
import { checkRange, illegal, requireSome } from './request-limits.ts'

const counted = { min: 1, max: Infinity, whole: true }
const measured = { min: -Infinity, max: Infinity }

/**
 * Rejects requests the provider would reject (service-notes 6). The API reference has no upper bounds, so none are enforced.
 * Params as in request-limits.ts.
 */
export function checkAgentRequest(request: AgentRequest): void {
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
export function sessionHeader(
  wire: WireNames,
  sessionId: string,
): Readonly<Record<string, string>> {
  // A profile may be older than this rule, or edited by hand.
  if (!isWireSpelling('agentSession', wire.agentSession))
    throw illegal('agentSession', wire.agentSession.toWellFormed().slice(0, 200))
  return { [wire.agentSession.toLowerCase()]: sessionId }
}

/** Returns the JSON body. Fields without a value are omitted, and the provider applies its defaults. */
export function agentBody(request: AgentRequest, wire: WireNames, model: string): unknown {
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
