import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { removal } from '../../../src/system/file-moves.ts'
import { createApi } from '../../../src/main/provider-client/index.ts'
import type { ApiTuning } from '../../../src/main/provider-client/index.ts'
import type {
  ApiDeps,
  ServiceTarget,
  TranscriptionRequest,
} from '../../../src/main/provider-client/types.ts'
import type { Api } from '../../../src/main/provider-client/api.ts'
import { AppError } from '../../../src/main/errors.ts'
import type { NewActivityCall } from '../../../src/main/library-database/types.ts'
import { limits } from '../../../src/shared/provider/limits.ts'
import { presets } from '../../../src/shared/provider/profiles.ts'
import type { Profile } from '../../../src/shared/provider/profiles.ts'
import { startScriptedServer } from '../../fixtures/scripted-server.ts'
import type { ScriptedServer } from '../../fixtures/scripted-server.ts'

/** A key in the vendor's format, with characters that encodings change. */
export const testKey = '0123456789abcdef0123456789abcdef.CaNaRy/+key=%Q9'

/** Milliseconds longer than any test. */
export const forGood = 3_600_000

/** An audio file on disk. */
export type FileOnDisk = Extract<TranscriptionRequest['file'], { readonly path: string }>

/** A client, its server, and everything recorded. */
export interface ApiSetup {
  readonly server: ScriptedServer
  readonly api: Api
  readonly calls: NewActivityCall[]
  /** Milliseconds passed to `sleep`, which returns immediately. */
  readonly sleeps: number[]
  target(profile?: Partial<Profile>, more?: Partial<ServiceTarget>): ServiceTarget
  /** Creates an audio file of this many bytes in a folder that is removed after the test. */
  file(bytes?: number, name?: string): FileOnDisk
  request(more?: Partial<TranscriptionRequest>): TranscriptionRequest
}

/** Starts a server and a client for one test; both are closed with it. */
export async function apiSetup(
  options: {
    readonly tuning?: ApiTuning
    readonly deps?: Partial<ApiDeps>
    readonly server?: ScriptedServer
  } = {},
): Promise<ApiSetup> {
  const server = options.server ?? (await startScriptedServer())
  const folder = mkdtempSync(join(tmpdir(), 'lectern-api-'))
  const calls: NewActivityCall[] = []
  const sleeps: number[] = []
  let ids = 0
  const api = createApi(
    {
      clock: Date.now,
      ids: () => `id-for-test-${String((ids += 1)).padStart(12, '0')}`,
      record: (call) => void calls.push(call),
      proxyFor: async () => null,
      extraCa: async () => [],
      ...options.deps,
    },
    {
      random: () => 0.5,
      sleep: async (ms) => void sleeps.push(ms),
      ...options.tuning,
    },
  )
  onTestFinished(async () => {
    await api.close()
    await server.close()
    rmSync(folder, removal)
  })
  let files = 0
  const file: ApiSetup['file'] = (bytes = 1000, name = 'talk.wav') => {
    const path = join(folder, `${(files += 1)}.bin`)
    writeFileSync(path, Buffer.alloc(bytes, 'sound'))
    return { path, bytes, name, mime: 'audio/wav', seconds: 3 }
  }
  return {
    server,
    api,
    calls,
    sleeps,
    file,
    target: (profile, more) => ({
      accountId: 'account-1',
      accountName: 'Test account',
      baseUrl: `${server.url}/api`,
      key: testKey,
      profile: { ...presets.bigmodel, ...profile },
      limits,
      ...more,
    }),
    request: (more) => ({ file: file(), prompt: '', hotwords: [], stream: false, ...more }),
  }
}

/**
 * Holds requests back until `places` of `total` have arrived at the same time, or the last one has, and a moment longer, so
 * that one too many would arrive too.
 */
export function gate(
  places: number,
  total: number,
): { readonly peak: () => number; pass(): Promise<void> } {
  let inFlight = 0
  let seen = 0
  let peak = 0
  const held: (() => void)[] = []
  return {
    peak: () => peak,
    async pass() {
      seen += 1
      inFlight += 1
      peak = Math.max(peak, inFlight)
      if (inFlight === places || seen === total)
        setTimeout(() => held.splice(0).forEach((letGo) => letGo()), 300)
      await new Promise<void>((resolve) => held.push(resolve))
      // The place is released only after the response, so the count here falls first.
      inFlight -= 1
    },
  }
}

/** Returns the rejection of a promise, which must be an AppError. */
export async function failureOf(promise: Promise<unknown>): Promise<AppError> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (outcome instanceof AppError) return outcome
  throw new Error('Expected an AppError', { cause: outcome })
}

/** Returns an event stream of JSON events, closed by `[DONE]`. */
export function eventStream(events: readonly object[], lineEnd = '\n'): string {
  return [...events.map((event) => JSON.stringify(event)), '[DONE]']
    .map((data) => `data: ${data}${lineEnd}${lineEnd}`)
    .join('')
}

/** Returns events as a stream without an end mark of its own, as the agent and others send them (service-notes 1). */
export function openStream(events: readonly object[], lineEnd = '\n'): string {
  return events.map((event) => `data: ${JSON.stringify(event)}${lineEnd}${lineEnd}`).join('')
}

/** Returns a delta event of a transcription (service-notes 4). */
export const delta = (text: string): object => ({
  id: 'r1',
  created: 1_780_000_000,
  model: 'glm-asr-2512',
  type: 'transcript.text.delta',
  delta: text,
})
