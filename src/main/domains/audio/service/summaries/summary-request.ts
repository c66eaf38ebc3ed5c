import { defaultAssistantId } from '../../../../../shared/provider/assistants.ts'
import type { RawReply, ServiceTarget } from '../../../../provider-client/types.ts'
import { StreamBroken } from '../../../../provider-client/stream-broken.ts'
import type { Api } from '../../../../provider-client/api.ts'
import { AppError } from '../../../../errors.ts'

/** Reply of an assistant. */
interface SummaryReply {
  readonly text: string
  /** Name of the engine, and on further lines its limitations in its own words. */
  readonly engine: string
}

/** Sends one prompt; throws AppError. */
export type AskAssistant = (prompt: string) => Promise<SummaryReply>

/** Dependencies of requests. `keep` receives every raw response, whether usable or not. */
interface AskDeps {
  readonly api: Pick<Api, 'assistants' | 'agentChat'>
  readonly signal: AbortSignal
  target(): Promise<ServiceTarget>
  keep(operation: string, raw: RawReply): Promise<void>
  /** Resolves after the given milliseconds, or at once when the signal fires. */
  pause(ms: number): Promise<void>
}

/** Prefix of a knowledge base ID: requests the retrieval agent with that knowledge base. */
const agentPrefix = 'agent:'

/** Pauses before a retry after a temporary failure, in milliseconds; the provider's own value has priority. */
const pausesMs = [2_000, 8_000]
const maxPauseMs = 60_000
/** Maximum length of a provider's self-description: our JSON format allows no more. */
const maxEngineChars = 2_000

/**
 * Sends prompts to an assistant by its ID (service-notes 8), the retrieval agent as `agent:<knowledge id>` (service-notes 6), or
 * the plain assistant; each in a new conversation.
 */
export function createAskAssistant(deps: AskDeps, assistantId: string | undefined): AskAssistant {
  const isAgent = assistantId?.startsWith(agentPrefix) ?? false
  const once = async (prompt: string): Promise<SummaryReply> => {
    const target = await deps.target()
    deps.signal.throwIfAborted()
    const messages = [{ role: 'user', content: prompt }] as const
    const options = { signal: deps.signal }
    if (assistantId !== undefined && isAgent) {
      const retrieval = { knowledgeIds: [assistantId.slice(agentPrefix.length).trim()] }
      const answered = await deps.api.agentChat.chat(target, { messages, retrieval }, options)
      await deps.keep('agents.chat', answered.raw)
      return replyOf(answered.value.answer, answered.engine ?? 'agent', answered.notice)
    }
    const answered = await deps.api.assistants.chat(
      target,
      { assistantId: assistantId ?? defaultAssistantId, messages },
      options,
    )
    await deps.keep('assistants.chat', answered.raw)
    const { text, model } = answered.value
    return replyOf(text, answered.engine ?? model ?? 'assistant', answered.notice)
  }

  return async (prompt) => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await once(prompt)
      } catch (error) {
        if (error instanceof StreamBroken)
          await deps.keep(isAgent ? 'agents.chat' : 'assistants.chat', error.raw)
        const pauseMs = pausesMs[tries]
        if (!(error instanceof AppError) || !error.retriable || pauseMs === undefined) throw error
        await deps.pause(Math.min(maxPauseMs, Math.max(pauseMs, error.retryAfterMs ?? 0)))
        deps.signal.throwIfAborted()
      }
    }
  }
}

function replyOf(text: string, engine: string, notice: string | null): SummaryReply {
  if (text.trim() === '')
    throw new AppError('MALFORMED_REPLY', 'The assistant returned an empty answer')
  const words = notice === null ? engine : `${engine}\n${notice}`
  return { text, engine: words.slice(0, maxEngineChars) }
}
