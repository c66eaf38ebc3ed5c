import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../errors.ts'
import { createRedactor } from '../platform/security/redact.ts'
import { createAgentChat } from './agent-chat.ts'
import { createAgents } from './agents.ts'
import { createAssistants } from './assistants.ts'
import { jsonReplyLimit, readText, requireJson } from './body.ts'
import { type CallParts, performCall, requireSuccess, type Call } from './call.ts'
import { createDocuments } from './documents.ts'
import { createEmbeddings } from './embeddings.ts'
import { createFiles } from './files.ts'
import { createKnowledge } from './knowledge.ts'
import { createLayout } from './layout.ts'
import { createLimiter } from './limiter.ts'
import { createRerank } from './rerank.ts'
import { createResponses } from './responses.ts'
import { retryRules, type RetryRules } from './retry.ts'
import { createSlices } from './slices.ts'
import { createSlides } from './slides.ts'
import { createSpeech } from './speech.ts'
import { createTasks } from './tasks.ts'
import { connectTimeoutMs, longCall, shortCall, type Timeouts } from './timeouts.ts'
import { createTranscription } from './transcriptions.ts'
import type { ApiDeps, CallOptions, ServiceTarget } from './types.ts'
import type { Api } from './api.ts'
import { createVoices } from './voices.ts'

export { StreamBroken } from './stream-broken.ts'
export { TranscriptionCut } from './stream-broken.ts'

/** Randomness and time for tests; omitted by the app. */
export interface ApiTuning {
  /** Set when no caller retries (unlike the app's queues): every call waits as long as the rules allow. */
  readonly patient?: boolean
  readonly rules?: RetryRules
  readonly random?: () => number
  /** Resolves after `ms`, or rejects as soon as the signal is aborted. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly connectTimeoutMs?: number
  readonly shortCall?: Timeouts
  readonly longCall?: Timeouts
}

/** Creates the service client. It contains connections and the limiter's queues, and no account data. */
export function createApi(deps: ApiDeps, tuning: ApiTuning = {}): Api {
  const agents = createAgents({
    proxyFor: (url) => deps.proxyFor(url),
    extraCa: () => deps.extraCa(),
    connectTimeoutMs: tuning.connectTimeoutMs ?? connectTimeoutMs,
  })
  const parts: CallParts = {
    deps,
    agents,
    limiter: createLimiter(deps.clock),
    redactor: createRedactor(),
    shortCall: tuning.shortCall ?? shortCall,
    longCall: tuning.longCall ?? longCall,
    rules: tuning.rules ?? retryRules,
    patient: tuning.patient ?? false,
    random: tuning.random ?? Math.random,
    sleep: tuning.sleep ?? ((ms, signal) => wait(ms, undefined, signal ? { signal } : {})),
  }
  return {
    transcriptions: {
      create: (target, request, options) => createTranscription(parts, target, request, options),
    },
    agentChat: createAgentChat(parts),
    assistants: createAssistants(parts),
    documents: createDocuments(parts),
    embeddings: createEmbeddings(parts),
    files: createFiles(parts),
    knowledge: createKnowledge(parts),
    layout: createLayout(parts),
    rerank: createRerank(parts),
    responses: createResponses(parts),
    slices: createSlices(parts),
    slides: createSlides(parts),
    speech: createSpeech(parts),
    tasks: createTasks(parts),
    voices: createVoices(parts),
    connection: { check: (target, options) => checkConnection(parts, target, options) },
    close: () => agents.close(),
  }
}

/**
 * Sends the cheapest request that needs a key and changes nothing: the voice list (service-notes 3), and where there is none,
 * the file list (service-notes 2): a provider may lack voices. Each is sent once, for a quick answer. Returns the duration in
 * milliseconds; throws AppError.
 */
async function checkConnection(
  parts: CallParts,
  target: ServiceTarget,
  options: CallOptions,
): Promise<{ readonly ms: number }> {
  const start = parts.deps.clock()
  const call = (path: string, query: Readonly<Record<string, string>>): Call<null> => ({
    operation: 'connection.check',
    model: null,
    repeat: 'safe',
    retryBounds: { attempts: 1 },
    exchange: (requestId) => ({
      method: 'GET',
      path,
      query,
      // The only operation that sends its ID as a header (service-notes 1).
      headers: { 'request-id': requestId },
      accept: 'application/json',
      timeouts: parts.shortCall,
    }),
    async read(reply, context) {
      const json = requireJson(await readText(reply.body, jsonReplyLimit), reply, context.redact)
      requireSuccess(json, reply, context)
      return null
    },
  })
  try {
    await performCall(parts, target, call('/paas/v4/voice/list', {}), options)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'SERVICE_NOT_FOUND') throw error
    await performCall(parts, target, call('/paas/v4/files', { purpose: 'batch' }), options)
  }
  return { ms: Math.max(0, parts.deps.clock() - start) }
}
