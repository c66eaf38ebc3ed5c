import { setTimeout as wait } from 'node:timers/promises'
import { createRedactor } from '../security/redact.ts'
import { createAgents } from './agents.ts'
import type { CallParts } from './call.ts'
import { checkConnection } from './connection.ts'
import { createLimiter } from './limiter.ts'
import { retryRules } from './retry.ts'
import type { RetryRules } from './retry.ts'
import { connectTimeoutMs, longCall, shortCall } from './timeouts.ts'
import type { Timeouts } from './timeouts.ts'
import { createTranscription } from './transcriptions.ts'
import type { Api, ApiDeps } from './types.ts'

export { TranscriptionCut } from './transcription-cut.ts'

/** What tests set to own chance and time; the app leaves it out. */
export interface ApiTuning {
  readonly rules?: RetryRules
  readonly random?: () => number
  /** Resolves after `ms`, or rejects as soon as the signal fires. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly connectTimeoutMs?: number
  readonly shortCall?: Timeouts
  readonly longCall?: Timeouts
}

/** Makes the service client. It holds connections and the limiter's lanes, and nothing of any account. */
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
    random: tuning.random ?? Math.random,
    sleep: tuning.sleep ?? ((ms, signal) => wait(ms, undefined, signal ? { signal } : {})),
  }
  return {
    transcriptions: {
      create: (target, request, options) => createTranscription(parts, target, request, options),
    },
    connection: { check: (target, options) => checkConnection(parts, target, options) },
    close: () => agents.close(),
  }
}
