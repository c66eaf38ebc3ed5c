import { onTestFinished } from 'vitest'
import { createMediaFiles } from '../../../../../../src/main/platform/files/files.ts'
import {
  createEmbeddings,
  type Embeddings,
} from '../../../../../../src/main/domains/knowledge/service/embeddings/embeddings.ts'
import { createEmbedTexts } from '../../../../../../src/main/domains/knowledge/service/vectors/embed-texts.ts'
import { AppError } from '../../../../../../src/main/errors.ts'
import { createWorkQueue } from '../../../../../../src/main/work-queue/work-queue.ts'
import { openStore } from '../../../../../../src/main/library-database/open.ts'
import type { Store } from '../../../../../../src/main/library-database/store.ts'
import type {
  EmbeddingChoice,
  EmbeddingRun,
} from '../../../../../../src/shared/model/embeddings.ts'
import { presets } from '../../../../../../src/shared/provider/profiles.ts'
import { eventually } from '../../../../../fixtures/eventually.ts'
import type {
  RecordedRequest,
  ScriptedReply,
  ScriptedServer,
} from '../../../../../fixtures/scripted-server.ts'
import { unsavedReplies } from '../../../../platform/database/full-store.ts'
import { apiSetup } from '../../../../provider-client/support.ts'
import { memoryLog, storeOptions, temporaryHome } from '../../../../platform/database/fixture.ts'
import { workerUrl } from '../../../../../fixtures/worker-url.ts'

/** The texts of a request. */
export const sentTexts = (request: RecordedRequest): readonly string[] => {
  const { input } = JSON.parse(String(request.body)) as { input: string | string[] }
  return typeof input === 'string' ? [input] : input
}

/** Vectors that start with the number in their text. */
export const answerWith =
  (dimensions: number) =>
  (request: RecordedRequest): ScriptedReply => ({
    body: JSON.stringify({
      data: sentTexts(request).map((text, index) => ({
        index,
        embedding: [
          Number(/\d+/.exec(text)?.[0] ?? 0) + 1,
          ...Array.from({ length: dimensions - 1 }, () => 0),
        ],
      })),
      usage: { prompt_tokens: 5, total_tokens: 5 },
      engine: 'an engine',
    }),
  })

/** Embeddings over a real store, real files and a real client. */
export interface EmbeddingSetup {
  readonly home: string
  readonly server: ScriptedServer
  readonly store: Store
  readonly embeddings: Embeddings
  /** Number of waiting runs, at each notification. */
  readonly waiting: readonly number[]
  /** Saves a file of texts, as uploaded by the page. */
  texts(texts: readonly string[]): Promise<string>
  /** Nothing is sent without a network. */
  setOffline(isOffline: boolean): void
  start(texts: readonly string[], sets?: readonly EmbeddingChoice[]): Promise<EmbeddingRun>
  over(id: string): Promise<EmbeddingRun>
  /** First components of the vectors of a set. */
  firsts(id: string, set?: number): Promise<readonly number[]>
  bytes(mediaId: string): Promise<Buffer>
  /** Creates embeddings over the same store, as at another start of Lectern. */
  again(): Embeddings
}

/** Creates the setup for one test. */
export async function embeddingSetup(concurrency = 1): Promise<EmbeddingSetup> {
  const { api, server, target } = await apiSetup()
  const { home, remove } = temporaryHome()
  const store = await openStore(storeOptions(home))
  const profile = { ...presets.custom, baseUrl: 'https://a.example', concurrency: 1 }
  store.accounts.put({ id: 'a', preset: 'custom', name: 'A', profile, createdAt: 1 })
  const files = createMediaFiles({ home, clock: Date.now, store })
  let isOffline = false
  const accounts = {
    async target() {
      if (!isOffline) return target({ concurrency })
      throw new AppError('OFFLINE', '', { retriable: true, params: { reason: 'refused' } })
    },
  }
  let serial = 0
  /** Time that was skipped, because nothing else happens until a retry. */
  let skippedMs = 0
  const clock = (): number => Date.now() + skippedMs
  const after = (ms: number, work: () => void): (() => void) => {
    const timer = setTimeout(() => {
      skippedMs += ms
      work()
    }, 5)
    return () => clearTimeout(timer)
  }
  const built: Embeddings[] = []
  const { keep } = unsavedReplies()
  const waiting: number[] = []
  const build = (): Embeddings => {
    const made = createEmbeddings({
      workQueue: createWorkQueue({ clock, log: memoryLog(), random: () => 0, after }),
      home,
      store,
      files,
      embed: createEmbedTexts({ store, api, accounts, keep }),
      workerUrl,
      clock,
      ids: () => `embedding-${String((serial += 1)).padStart(4, '0')}`,
      log: memoryLog(),
      mask: (text) => text,
      activeAccountId: () => 'a',
      emit: () => undefined,
      setWaiting: (_, count) => void waiting.push(count),
    })
    built.push(made)
    return made
  }
  const embeddings = build()
  onTestFinished(async () => {
    for (const each of built) await each.shutdown()
    await store.close()
    remove()
  })
  const texts = async (all: readonly string[]): Promise<string> => {
    const lines = all.map((text) => `${JSON.stringify({ text })}\n`).join('')
    return (await files.intake(new Blob([lines]).stream(), 'texts.jsonl')).id
  }
  const bytes = async (mediaId: string): Promise<Buffer> => {
    const { readFile } = await import('node:fs/promises')
    return readFile(await files.path(mediaId))
  }
  return {
    home,
    server,
    store,
    embeddings,
    waiting,
    texts,
    bytes,
    setOffline: (now) => void (isOffline = now),
    start: async (all, sets = [{ model: 'embedding-3', dimensions: 256 }]) =>
      embeddings.start({ mediaId: await texts(all), sets }),
    over: (id) =>
      eventually(() => {
        const run = embeddings.get(id)
        if (run.endedAt === null) throw new Error('it has not ended')
        return run
      }),
    async firsts(id, set = 0) {
      const { count, sets } = embeddings.get(id)
      const of = sets[set]
      const file = await bytes(of?.mediaId ?? '')
      const dimensions = of?.dimensions ?? 1
      return Array.from({ length: count }, (_, row) => file.readFloatLE(row * dimensions * 4))
    },
    again: build,
  }
}
