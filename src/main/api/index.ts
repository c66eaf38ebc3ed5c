import { setTimeout as wait } from 'node:timers/promises'
import { createRedactor } from '../security/redact.ts'
import { createAgents } from './agents.ts'
import { createAgentChat } from './agent-chat.ts'
import { createAssistants } from './assistants.ts'
import { createDocuments } from './documents.ts'
import { createEmbeddings } from './embeddings.ts'
import { createFiles } from './files.ts'
import { createKnowledge } from './knowledge.ts'
import { createLayout } from './layout.ts'
import { createRerank } from './rerank.ts'
import { createResponses } from './responses.ts'
import { createSlices } from './slices.ts'
import { createSlides } from './slides.ts'
import { createSpeech } from './speech.ts'
import { createTasks } from './tasks.ts'
import { createVoices } from './voices.ts'
import type { CallParts } from './call.ts'
import { checkConnection } from './connection.ts'
import { createLimiter } from './limiter.ts'
import { retryRules } from './retry.ts'
import type { RetryRules } from './retry.ts'
import { connectTimeoutMs, longCall, shortCall } from './timeouts.ts'
import type { Timeouts } from './timeouts.ts'
import { createTranscription } from './transcriptions.ts'
import type { Api, ApiDeps } from './types.ts'

export { StreamBroken } from './stream-broken.ts'
export { TranscriptionCut } from './transcription-cut.ts'

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
