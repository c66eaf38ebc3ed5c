import { expect, onTestFinished } from 'vitest'
import {
  createSemantic,
  type Semantic,
} from '../../../../../../src/main/domains/library/service/semantic/semantic.ts'
import { createEmbedTexts } from '../../../../../../src/main/domains/knowledge/service/vectors/embed-texts.ts'
import { createWorkQueue } from '../../../../../../src/main/work-queue/work-queue.ts'
import { openStore } from '../../../../../../src/main/library-database/open.ts'
import type { AppEvent } from '../../../../../../src/shared/contract/events.ts'
import type { Store } from '../../../../../../src/main/library-database/store.ts'
import type { SemanticIndex } from '../../../../../../src/shared/model/semantic.ts'
import { presets } from '../../../../../../src/shared/provider/profiles.ts'
import { eventually } from '../../../../../fixtures/eventually.ts'
import type { RecordedRequest, ScriptedReply } from '../../../../../fixtures/scripted-server.ts'
import { unsavedReplies } from '../../../../platform/database/full-store.ts'
import { apiSetup, type ApiSetup } from '../../../../provider-client/support.ts'
import {
  addItem,
  memoryLog,
  storeOptions,
  temporaryHome,
} from '../../../../platform/database/fixture.ts'

/** Words with similar meanings: words of one list have vectors that are close together. */
const meanings = [
  ['boiler', 'heating', 'radiator', 'warm', 'furnace'],
  ['budget', 'money', 'cost', 'invoice', 'euros'],
  ['garden', 'roses', 'tulips', 'flowers', 'lawn'],
  ['ship', 'harbour', 'sailor', 'anchor', 'tide'],
] as const

const words = (text: string): readonly string[] => text.toLowerCase().match(/[a-z]+/g) ?? []

/** A vector determined by the meanings of a text's words, and slightly by the text itself. */
export function vectorOf(text: string): readonly number[] {
  const vector = Array.from({ length: 256 }, () => 0)
  for (const word of words(text)) {
    const meaning = meanings.findIndex((list) => (list as readonly string[]).includes(word))
    if (meaning >= 0) vector[meaning] = (vector[meaning] ?? 0) + 1
    const place = 16 + ((word.charCodeAt(0) * 31 + word.length * 7) % 200)
    vector[place] = (vector[place] ?? 0) + 0.05
  }
  return vector
}

/** The texts of a request. */
export const sentTexts = (request: RecordedRequest): readonly string[] => {
  const { input } = JSON.parse(String(request.body)) as { input: string | string[] }
  return typeof input === 'string' ? [input] : input
}

/** A server that embeds by {@link vectorOf} and ranks documents by the number of euros they mention. */
export function answer(request: RecordedRequest): ScriptedReply {
  if (request.url.endsWith('/rerank')) {
    const { documents } = JSON.parse(String(request.body)) as { documents: readonly string[] }
    const results = documents
      .map((text, index) => ({ index, relevance_score: words(text).includes('euros') ? 0.9 : 0.1 }))
      .toSorted((a, b) => b.relevance_score - a.relevance_score)
    return { body: JSON.stringify({ id: 'r', results, engine: 'a ranker' }) }
  }
  const data = sentTexts(request).map((text, index) => ({ index, embedding: vectorOf(text) }))
  return { body: JSON.stringify({ data, engine: 'an encoder', notice: 'made of words' }) }
}

/** Semantic search of the Library over a real store, its worker, a real client and a scripted server. */
export interface SemanticSetup {
  readonly server: ApiSetup['server']
  /** Requests that Activity lists. */
  readonly calls: ApiSetup['calls']
  store: Store
  semantic: Semantic
  /** Waits until the queue plans its next search, and lets that time pass; returns it in milliseconds. */
  later(): Promise<number>
  /** Lets the time pass after which new items are indexed on this computer. */
  quiet(): void
  /** Lets the time of the next search of the queue pass, if it plans one. */
  pass(): void
  /** What was sent to the pages. */
  readonly events: AppEvent[]
  /** Sets whether no other work runs. */
  idle(is: boolean): void
  /** Closes as the app does, or as a crash leaves it, and opens everything again. */
  restart(how?: 'stopped' | 'killed'): Promise<void>
  /** Waits until the only index has this state. */
  until(state: SemanticIndex['state']): Promise<SemanticIndex>
}

/** The embedding settings. */
export const choice = {
  accountId: 'a',
  model: 'embedding-3',
  dimensions: 256,
  kinds: ['document', 'meeting', 'conversation'],
  since: null,
} as const

/** Creates the setup for one test, with four meetings. */
export async function semanticSetup(): Promise<SemanticSetup> {
  const { api, calls, server, target } = await apiSetup()
  server.always(answer)
  const { home, remove } = temporaryHome()
  let planned: (() => void) | null = null
  const timers: { readonly ms: number; readonly work: () => void }[] = []
  let now = Date.UTC(2026, 0, 1)
  let isIdle = true
  const events: AppEvent[] = []
  const open = () => openStore({ ...storeOptions(home), clock: () => (now += 1000) })
  const make = (store: Store): Semantic => {
    const accounts = { target: async () => target({ concurrency: 1 }) }
    const { keep } = unsavedReplies()
    return createSemantic({
      store,
      api,
      accounts,
      texts: createEmbedTexts({ store, api, accounts, keep }),
      clock: () => (now += 1000),
      workQueue: createWorkQueue({
        clock: () => now,
        log: memoryLog(),
        random: () => 0,
        after(ms, work) {
          const timer = { ms, work }
          timers.push(timer)
          return () => void timers.splice(timers.indexOf(timer), 1)
        },
      }),
      mask: (text) => text,
      emit: (event) => void events.push(event),
      after(_ms, work) {
        planned = work
        return () => {
          planned = null
        }
      },
      log: memoryLog(),
      idle: () => isIdle,
    })
  }
  const store = await open()
  const profile = { ...presets.custom, baseUrl: 'https://a.example' }
  store.accounts.put({ id: 'a', preset: 'custom', name: 'A', profile, createdAt: 1 })
  addItem(store, 'house', 'The house', 'The boiler was serviced and the furnace runs again.', 1000)
  addItem(
    store,
    'money',
    'The money',
    'The invoice over four hundred euros was paid on time.',
    2000,
  )
  addItem(store, 'plants', 'The plants', 'Roses and tulips were set along the whole lawn.', 3000)
  addItem(store, 'sea', 'The sea', 'Every sailor waited for the tide in the harbour.', 4000)
  const setup: SemanticSetup = {
    server,
    calls,
    store,
    semantic: make(store),
    later: () =>
      eventually(() => {
        const [timer] = timers
        if (!timer || setup.semantic.busy()) throw new Error('nothing is planned')
        now += timer.ms
        timer.work()
        return timer.ms
      }),
    quiet() {
      const work = planned
      planned = null
      work?.()
    },
    pass() {
      const [timer] = timers
      now += timer?.ms ?? 0
      timer?.work()
    },
    events,
    idle: (is) => void (isIdle = is),
    async restart(how = 'stopped') {
      if (how === 'stopped') await setup.semantic.shutdown()
      await setup.store.close()
      timers.length = 0
      setup.store = await open()
      setup.semantic = make(setup.store)
    },
    async until(state) {
      await eventually(() => expect(setup.store.semantic.indexes()[0]?.state).toBe(state))
      const [index] = await setup.semantic.indexes()
      if (!index) throw new Error('There is no index')
      return index
    },
  }
  onTestFinished(async () => {
    await setup.semantic.shutdown()
    await setup.store.close()
    remove()
  })
  return setup
}
