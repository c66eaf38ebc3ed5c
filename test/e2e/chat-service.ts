import type { FaultRule } from '../../src/local-service/fault-injection/rules.ts'
import type { ChatSettings } from '../../src/shared/model/chat.ts'
import { startKeyringSession } from '../fixtures/keyring-session.ts'
import { startTestService, type TestService } from '../local-service/fixtures/service.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { secondPage } from './second-page.ts'

/** A busy machine may be slow. */
export const patient = { timeout: 60_000 }

/** API paths of assistants and of the agent. */
export const assistantPath = '/paas/v4/assistant'
export const agentPath = '/zrag/agent/chat'

/** Settings for an assistant in these tests. */
export const plainChat: ChatSettings = {
  kind: 'assistant',
  assistantId: '65940acff94777010aa6b796',
  model: null,
  doSample: null,
  translate: null,
}

/** Settings for the agent in these tests: the knowledge base need not exist if the answer is scripted. */
export const agentChat: ChatSettings = {
  kind: 'agent',
  knowledgeIds: ['1'],
  topK: null,
  topN: null,
  rerank: false,
  similarityThreshold: null,
  model: null,
  temperature: null,
  maxSteps: null,
  thinking: true,
}

/** Returns an answer of the agent as streamed by the provider: reasoning, retrieval, and text in pieces with this delay (ms). */
export function agentAnswerRule(texts: readonly string[], delayMs: number): FaultRule {
  const sessionId = 'session-1'
  const call = { callId: 'call-1', toolName: 'knowledge_retrieval' }
  const found = [{ ref: 1, text: 'The lamp is lit at dusk.', doc_name: 'lamps.md', score: 0.9 }]
  return {
    path: agentPath,
    times: 1,
    reply: {
      events: [
        { type: 'session_created', data: { sessionId } },
        { type: 'reasoning', data: 'Where are the lamps? ' },
        { type: 'tool_call', data: { ...call, arguments: { query: 'lamps' } } },
        { type: 'tool_result', data: { ...call, result: found, status: 'success' } },
        ...texts.map((data) => ({ type: 'answer', data })),
        { type: 'done', messageId: 'message-1', data: texts.join('') },
      ].map((event) => ({ delayMs, data: { sessionId, ...event } })),
    },
  }
}

/** Returns an answer of an assistant as streamed by the provider, in pieces with this delay (ms). */
export function assistantAnswerRule(texts: readonly string[], delayMs: number): FaultRule {
  const head = {
    id: 'answer-1',
    conversation_id: 'conversation-1',
    assistant_id: plainChat.kind === 'assistant' ? plainChat.assistantId : '',
    created: 1_700_000_000,
    model: 'gen-4-assistant',
    request_id: 'request-1',
  }
  const chunk = (content: string, over: boolean) => ({
    delayMs,
    data: {
      ...head,
      status: over ? 'completed' : 'in_progress',
      choices: [
        {
          index: 0,
          delta: { type: 'content', role: 'assistant', content },
          finish_reason: over ? 'stop' : null,
          metadata: {},
        },
      ],
      ...(over && { usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } }),
    },
  })
  return {
    path: assistantPath,
    times: 1,
    reply: {
      events: [
        ...texts.map((text) => chunk(text, false)),
        chunk('', true),
        { data: '[DONE]', delayMs: 0 },
      ],
    },
  }
}

/** Built app with a test server that supports fault injection. */
export interface ChatSetup {
  readonly lectern: Lectern
  readonly service: TestService
  /** Replaces the fault injection rules; without rules the server behaves normally. */
  misbehave(...rules: readonly FaultRule[]): Promise<void>
  /** Creates and opens a chat; with the plain assistant by default. */
  begin(settings?: ChatSettings): Promise<string>
  /** Kills the app at any point, and restarts it with the same data. */
  kill(): Promise<void>
  /** Returns the number of requests for a path since the last change of the rules. */
  requestCount(path: string): Promise<number>
  close(): Promise<void>
}

/** Opens the app with an account for a test server, past the first-run card. */
export async function openChats(): Promise<ChatSetup> {
  const keyring = await startKeyringSession()
  const service = await startTestService({ faults: true })
  let lectern = await openLectern({
    locale: 'en-US',
    env: keyring.env,
    width: 1200,
    height: 800,
  })
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
  let second = await secondPage(lectern.home, keyring.env)
  const account = await second.call('accounts.create', {
    preset: 'custom',
    name: 'Beside',
    baseUrl: service.url,
  })
  await second.call('accounts.setKey', { id: account.id, key: service.key })
  await second.call('accounts.activate', { id: account.id })
  return {
    get lectern() {
      return lectern
    },
    service,
    async misbehave(...rules) {
      await service.call('/__faults', { method: 'DELETE' })
      if (rules.length > 0)
        await service.call('/__faults', { method: 'POST', body: JSON.stringify(rules) })
    },
    async begin(settings = plainChat) {
      const { id } = await second.call('chats.create', { settings })
      await lectern.page.evaluate((to) => void (location.hash = to), `#/chats/${id}`)
      // The previous one is gone from the page.
      await lectern.page.getByTestId('question').first().waitFor({ state: 'detached' })
      await lectern.page.getByTestId('composer').getByRole('textbox').waitFor()
      return id
    },
    async kill() {
      second.close()
      lectern = await lectern.killed()
      second = await secondPage(lectern.home, keyring.env)
    },
    async requestCount(path) {
      const log = await (await service.call('/__faults/log')).json()
      return (log as { calls: readonly { path: string }[] }).calls.filter(
        (one) => one.path === path,
      ).length
    },
    async close() {
      second.close()
      await lectern.close()
      await service.stop()
      await keyring.stop()
    },
  }
}
