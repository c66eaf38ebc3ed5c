import { onTestFinished } from 'vitest'
import type {
  AgentSettings,
  AssistantSettings,
  ChatMessage,
  Conversation,
} from '../../../src/shared/model/chat.ts'
import type { ChatSettings } from '../../../src/shared/model/chat.ts'
import { memoryKeychain, testApp, type TestApp } from '../../fixtures/app.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { startScriptedServer } from '../../fixtures/scripted-server.ts'
import type {
  RecordedRequest,
  ScriptedReply,
  ScriptedServer,
} from '../../fixtures/scripted-server.ts'

/** Agent settings with one knowledge base and defaults of the provider. */
export const agent: AgentSettings = {
  kind: 'agent',
  knowledgeIds: ['k1'],
  topK: null,
  topN: null,
  rerank: false,
  similarityThreshold: null,
  model: null,
  temperature: null,
  maxSteps: null,
  thinking: false,
}

/** Settings of the general assistant. */
export const assistant: AssistantSettings = {
  kind: 'assistant',
  assistantId: '65940acff94777010aa6b796',
  model: null,
  doSample: null,
  translate: null,
}

/** Returns events as a stream in their wire format. */
export const sse = (events: readonly unknown[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

/** Returns a complete agent answer in these chunks. */
export const agentAnswer = (chunks: readonly string[], sessionId = 's1'): readonly object[] => [
  { type: 'session_created', sessionId },
  ...chunks.map((data) => ({ type: 'answer', sessionId, data })),
  { type: 'done', sessionId, messageId: 'm1', data: chunks.join('') },
]

/** Returns a complete assistant answer in these chunks. */
export const assistantAnswer = (chunks: readonly string[]): string =>
  `${sse(
    chunks.map((content) => ({
      conversation_id: 'c1',
      model: 'glm-4-assistant',
      choices: [{ index: 0, delta: { type: 'content', role: 'assistant', content } }],
    })),
  )}${sse([{ conversation_id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], status: 'completed' }])}data: [DONE]\n\n`

/** The app with a scripted service as its active account. */
export interface ChatSetup {
  lectern: TestApp
  readonly server: ScriptedServer
  readonly accountId: string
  /** Queues the next responses to chat calls. */
  queue(...replies: readonly ScriptedReply[]): void
  /** Returns the received chat requests. */
  chats(): readonly RecordedRequest[]
  begin(settings?: ChatSettings): Promise<Conversation>
  /** Resolves to the message once it is no longer running. */
  settled(id: string): Promise<ChatMessage>
  /** Stops the app and starts it again with the same data. */
  restart(): Promise<void>
}

/** Key of the scripted account. */
export const key = 'scripted-key-0123456789'

let serial = 0
/** Returns an unused stream ID. */
export const streamId = (): string => `chat-test-${++serial}`

/** Starts the setup for one test. */
export async function chatSetup(withKey = true): Promise<ChatSetup> {
  const server = await startScriptedServer()
  const replies: ScriptedReply[] = []
  const isChat = (url: string): boolean => /\/zrag\/agent\/chat$|\/paas\/v4\/assistant$/.test(url)
  server.always(({ url }) => {
    if (isChat(url)) return replies.shift() ?? { status: 500 }
    if (url.startsWith('/paas/v4/voice/list')) return { body: '{"voice_list":[]}' }
    return { status: 404, body: '{}' }
  })
  const keychain = memoryKeychain()
  const setup = { lectern: await testApp({ keychain }) }
  const account = await setup.lectern.call('accounts.create', {
    preset: 'custom',
    name: 'Scripted',
    baseUrl: server.url,
  })
  if (withKey) await setup.lectern.call('accounts.setKey', { id: account.id, key })
  await setup.lectern.call('accounts.activate', { id: account.id })
  onTestFinished(async () => {
    await setup.lectern.remove()
    await server.close()
  })
  return Object.assign(setup, {
    server,
    accountId: account.id,
    queue: (...more: readonly ScriptedReply[]) => void replies.push(...more),
    chats: () => server.requests.filter(({ url }) => isChat(url)),
    begin: (settings: ChatSettings = agent) => setup.lectern.call('chats.create', { settings }),
    settled: (id: string) =>
      eventually(async () => {
        const message = await setup.lectern.call('chats.message', { id })
        if (message.state === 'running') throw new Error('it runs')
        return message
      }),
    async restart() {
      const { home } = setup.lectern
      await setup.lectern.stop()
      setup.lectern = await testApp({ home, keychain })
    },
  })
}
