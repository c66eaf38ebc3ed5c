import { onTestFinished } from 'vitest'
import { createPageSet } from '../../../../../src/main/platform/bridge/events.ts'
import { createStreamHub } from '../../../../../src/main/platform/bridge/streams.ts'
import { later } from '../../../../../src/main/long-timeout.ts'
import { createMediaFiles, type MediaFiles } from '../../../../../src/main/platform/files/files.ts'
import type { RemoteDeps } from '../../../../../src/main/platform/security/remote-fetch.ts'
import { createChats } from '../../../../../src/main/domains/chats/service/chats.ts'
import type {
  Chats,
  ChatsDeps,
} from '../../../../../src/main/domains/chats/service/chat-service-types.ts'
import { createWorkQueue } from '../../../../../src/main/work-queue/work-queue.ts'
import { openStore } from '../../../../../src/main/library-database/open.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import {
  emptyAnswer,
  foldAnswer,
  type AnswerEvent,
} from '../../../../../src/shared/chats/answer.ts'
import type { Failure } from '../../../../../src/shared/contract/reply.ts'
import type {
  ChatAttachment,
  ChatMessage,
  ChatSettings,
  Conversation,
} from '../../../../../src/shared/model/chat.ts'
import { limitsWith } from '../../../../../src/shared/provider/limits.ts'
import { presets, type Account } from '../../../../../src/shared/provider/profiles.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import type { ScriptedServer } from '../../../../fixtures/scripted-server.ts'
import { apiSetup } from '../../../provider-client/support.ts'
import { memoryLog, storeOptions, temporaryHome } from '../../../platform/database/fixture.ts'

/** Chats over a real store, real files and a real client that waits for nothing. */
export interface ChatSetup {
  readonly server: ScriptedServer
  readonly store: Store
  readonly files: MediaFiles
  readonly chats: Chats
  readonly log: ReturnType<typeof memoryLog>
  /** Messages reported to pages, in order. */
  readonly messages: ChatMessage[]
  readonly waiting: number[]
  /** Reason why the account is currently unreachable. */
  trouble: Failure | null
  begin(settings: ChatSettings): string
  ask(id: string, text: string, more?: ChatSetupOptions): ReturnType<Chats['ask']>
  /** Returns an unused stream ID. */
  stream(): string
  /** Returns the message once it is no longer running. */
  over(id: string): Promise<ChatMessage>
  /** Returns the joined text pushed to the requesting page. */
  pushed(streamId: string): string
  keep(name: string, bytes: Uint8Array): Promise<string>
}

interface ChatSetupOptions {
  readonly attachments?: readonly ChatAttachment[]
  readonly streamId?: string
  readonly waits?: boolean
}

/** Shared by all setups, because two may use the same store. */
let serial = 0

/** Creates the setup for one test. `at` is the account's provider; defaults to the scripted server. */
export async function chatSetup(
  options: {
    readonly at?: () => { readonly url: string; readonly key: string }
    readonly limits?: Account['profile']['limits']
    readonly remote?: RemoteDeps
    readonly deps?: Partial<ChatsDeps>
    /** Called with each conversation that is reported to pages. */
    onConversation?(conversation: Conversation): void
    /** Store and files of another setup, which closes them. */
    readonly over?: { readonly store: Store; readonly files: MediaFiles }
  } = {},
): Promise<ChatSetup> {
  const { api, server, target } = await apiSetup()
  const { home, remove } = temporaryHome()
  const log = memoryLog()
  const store = options.over?.store ?? (await openStore(storeOptions(home)))
  const files = options.over?.files ?? createMediaFiles({ home, clock: Date.now, store })
  const profile = { ...presets.bigmodel, ...(options.limits && { limits: options.limits }) }
  const account: Account = {
    id: 'account-1',
    preset: 'custom',
    name: 'Test',
    profile,
    createdAt: 1,
  }
  store.accounts.put(account)
  const messages: ChatMessage[] = []
  const waiting: number[] = []
  const events = new Map<string, AnswerEvent[]>()
  const pages = createPageSet()
  pages.connect({
    id: 'page',
    push({ channel, event }) {
      if (channel !== 'stream' || event.type !== 'events') return
      const received = events.get(event.streamId) ?? []
      received.push(...(JSON.parse(event.batch.json) as AnswerEvent[]))
      events.set(event.streamId, received)
    },
  })
  const state = { trouble: null as Failure | null }
  const refuse = async (): Promise<never> => {
    throw new Error('nothing is exported here')
  }
  const chats = createChats(
    {
      store,
      files,
      api,
      accounts: {
        active: () => account,
        list: async () => [],
        target: async () => {
          const there = options.at?.()
          const limits = limitsWith(profile.limits)
          return target(profile, {
            limits,
            ...(there && { baseUrl: there.url, key: there.key }),
          })
        },
      },
      hub: createStreamHub(pages),
      clock: Date.now,
      ids: () => `made-${String((serial += 1)).padStart(12, '0')}`,
      log,
      remote: options.remote ?? { resolve: async () => [], get: refuse },
      mask: (text) => text,
      openEnd: () => 0,
      countPages: async () => null,
      unreachable: () => state.trouble,
      after: later,
      workQueue: createWorkQueue({
        clock: options.deps?.clock ?? Date.now,
        log,
        random: () => 0,
        after: options.deps?.after ?? later,
      }),
      purge: refuse,
      emit(event) {
        if (event.type === 'chat.message') messages.push(event.message)
        if (event.type === 'chat.changed') options.onConversation?.(event.conversation)
      },
      onWaiting: (count) => void waiting.push(count),
      ...options.deps,
    },
    { copy: refuse, export: refuse, import: refuse, close: async () => undefined },
  )
  onTestFinished(async () => {
    await chats.shutdown()
    if (!options.over) await store.close()
    remove()
  })
  const stream = (): string => `stream-${String((serial += 1))}`
  return Object.assign(state, {
    server,
    store,
    files,
    chats,
    log,
    messages,
    waiting,
    stream,
    begin: (settings: ChatSettings) => chats.create({ settings, temporary: false }).id,
    ask: (id: string, text: string, more: ChatSetupOptions = {}) =>
      chats.ask(id, { text, attachments: [], streamId: stream(), waits: false, ...more }, 'page'),
    over: (id: string) =>
      eventually(() => {
        const message = chats.message(id)
        if (message.state === 'running') throw new Error('it runs')
        return message
      }),
    pushed: (streamId: string) => (events.get(streamId) ?? []).reduce(foldAnswer, emptyAnswer).text,
    keep: async (name: string, bytes: Uint8Array) =>
      (await files.intake(new Blob([Buffer.from(bytes)]).stream(), name)).id,
  })
}
