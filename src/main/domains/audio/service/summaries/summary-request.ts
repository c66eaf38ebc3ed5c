import { defaultAssistantId } from '../../../../../shared/provider/assistants.ts'
import type { RawReply, ServiceTarget } from '../../../../provider-client/types.ts'
import { StreamBroken } from '../../../../provider-client/stream-broken.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { Context } from '../../../../context.ts'
import { AppError } from '../../../../errors.ts'
import { persist } from '../../../../platform/database/persist.ts'

/** Reply of an assistant. */
interface SummaryReply {
  readonly text: string
  /** Name of the engine, and on further lines its limitations in its own words. */
  readonly engine: string
}

/** Sends one prompt; throws AppError. */
export type AskAssistant = (prompt: string) => Promise<SummaryReply>

/** Dependencies of a request. `keep` receives every raw response, whether usable or not. */
interface AskDeps {
  readonly api: Pick<Api, 'assistants' | 'agentChat'>
  readonly signal: AbortSignal
  target(): Promise<ServiceTarget>
  keep(operation: string, raw: RawReply): Promise<void>
}

/** Prefix of a knowledge base ID: requests the retrieval agent with that knowledge base. */
const agentPrefix = 'agent:'

/** Pauses before a retry after a temporary failure, in milliseconds; the provider's own value has priority. */
const pausesMs = [2_000, 8_000]
const maxPauseMs = 60_000
/** Maximum length of a provider's self-description: our JSON format allows no more. */
const maxEngineChars = 2_000

/**
 * Sends a prompt to an assistant by its ID (service-notes 8), the retrieval agent as `agent:<knowledge id>` (service-notes 6), or
 * the plain assistant; each in a new conversation. Throws AppError.
 */
export async function askAssistant(
  deps: AskDeps,
  assistantId: string | undefined,
  prompt: string,
): Promise<SummaryReply> {
  const isAgent = assistantId?.startsWith(agentPrefix) ?? false
  const target = await deps.target()
  deps.signal.throwIfAborted()
  const messages = [{ role: 'user', content: prompt }] as const
  const options = { signal: deps.signal }
  try {
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
  } catch (error) {
    if (error instanceof StreamBroken)
      await deps.keep(isAgent ? 'agents.chat' : 'assistants.chat', error.raw)
    throw error
  }
}

/**
 * Sends prompts with {@link askAssistant}, and again after temporary failures. `pause` resolves after the given milliseconds,
 * or at once when the signal fires.
 */
export function createAskAssistant(
  deps: AskDeps & { pause(ms: number): Promise<void> },
  assistantId: string | undefined,
): AskAssistant {
  return async (prompt) => {
    for (let tries = 0; ; tries += 1) {
      try {
        return await askAssistant(deps, assistantId, prompt)
      } catch (error) {
        const pauseMs = pausesMs[tries]
        if (!(error instanceof AppError) || !error.retriable || pauseMs === undefined) throw error
        await deps.pause(Math.min(maxPauseMs, Math.max(pauseMs, error.retryAfterMs ?? 0)))
        deps.signal.throwIfAborted()
      }
    }
  }
}

/** Returns what saves raw responses with a meeting, until the signal fires. Those of a deleted meeting are discarded. */
export const saveReplyOf =
  (
    { store, clock, ids, log, mask }: Pick<Context, 'store' | 'clock' | 'ids' | 'log' | 'mask'>,
    meetingId: string,
    closing: AbortSignal,
  ): AskDeps['keep'] =>
  (operation, { status, contentType, body }) =>
    persist(
      () => {
        if (!store.meetings.get(meetingId)) return
        const reply = { operation, status, contentType, body: mask(body), at: clock() }
        store.replies.add({ id: ids(), itemId: meetingId, ...reply })
      },
      closing,
      (error) => log.warn('failed to save a response, will retry', { code: error.code }),
    )

function replyOf(text: string, engine: string, notice: string | null): SummaryReply {
  if (text.trim() === '')
    throw new AppError('MALFORMED_REPLY', 'The assistant returned an empty answer')
  const words = notice === null ? engine : `${engine}\n${notice}`
  return { text, engine: words.slice(0, maxEngineChars) }
}
