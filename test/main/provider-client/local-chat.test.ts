import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/main/provider-client/agent-chat.ts'
import type { AssistantEvent } from '../../../src/main/provider-client/assistant-events.ts'
import type { SlidesMessage } from '../../../src/main/provider-client/slides-events.ts'
import type { ServiceTarget } from '../../../src/main/provider-client/types.ts'
import {
  defaultAssistantId,
  predefinedAssistants,
} from '../../../src/shared/provider/assistants.ts'
import { presets } from '../../../src/shared/provider/profiles.ts'
import { embedded, newBase } from '../../local-service/fixtures/knowledge.ts'
import { startTestService } from '../../local-service/fixtures/service.ts'
import type { TestService } from '../../local-service/fixtures/service.ts'
import { apiSetup, failureOf } from './support.ts'
import type { ApiSetup } from './support.ts'

let service: TestService
let base = ''
beforeAll(async () => {
  service = await startTestService()
  base = await newBase(service, { name: 'Office' })
  const handbook = '# Holidays\n\nEveryone has thirty days of paid leave in a year.\n'
  await embedded(service, base, 'handbook.md', handbook, { knowledge_type: '1' })
}, 120_000)
afterAll(() => service.stop())

const here = (made: ApiSetup): ServiceTarget =>
  made.target(presets.local, { baseUrl: service.url, key: service.key })

test('parses every event of the on-device agent, and continues its session', async () => {
  const made = await apiSetup()
  const events: AgentEvent[] = []
  const ask = (content: string, sessionId?: string): ReturnType<typeof made.api.agentChat.chat> =>
    made.api.agentChat.chat(
      here(made),
      {
        messages: [{ role: 'user', content }],
        retrieval: { knowledgeIds: [base], topK: 3 },
        thinking: true,
        ...(sessionId !== undefined && { sessionId }),
      },
      { onEvent: (event) => void events.push(event) },
    )
  const first = await ask('How many days of paid leave does everyone have?')
  expect(first.value.answer).toContain('thirty days')
  expect(first.value).toMatchObject({ complete: true, messageId: expect.any(String) })
  expect(first.engine).toBeTruthy()
  const kinds = new Set(events.map(({ type }) => type))
  for (const kind of ['session_created', 'reasoning', 'tool_call', 'tool_result', 'answer', 'done'])
    expect(kinds).toContain(kind)
  expect(kinds).not.toContain('unknown')
  const call = events.find((event) => event.type === 'tool_call')
  const result = events.find((event) => event.type === 'tool_result')
  expect(call?.callId).toBeTruthy()
  expect(result).toMatchObject({ callId: call?.callId, tool: call?.tool, status: 'success' })
  const { sessionId } = first.value
  expect(sessionId).toBeTruthy()
  const second = await ask('And in how many weeks?', sessionId ?? '')
  expect(second.value.sessionId).toBe(sessionId)
})

test('reports a missing knowledge base with the message of the provider', async () => {
  const made = await apiSetup()
  const error = await failureOf(
    made.api.agentChat.chat(
      here(made),
      { messages: [{ role: 'user', content: 'q' }], retrieval: { knowledgeIds: ['nowhere'] } },
      {},
    ),
  )
  expect(error.service?.message).toBeTruthy()
})

test('offers the on-device assistants of the API reference, streamed and plain', async () => {
  const made = await apiSetup()
  const { value: list } = await made.api.assistants.list(here(made), {}, {})
  expect(list.map(({ id }) => id)).toEqual(
    expect.arrayContaining(predefinedAssistants.map(({ id }) => id)),
  )
  expect(list.every(({ name, starterPrompts }) => name !== '' && starterPrompts.length > 0)).toBe(
    true,
  )
  const events: AssistantEvent[] = []
  const messages = [{ role: 'user', content: 'What can you do?' }] as const
  const request = { assistantId: defaultAssistantId, messages }
  const streamed = await made.api.assistants.chat(here(made), request, {
    onEvent: (event) => void events.push(event),
  })
  const plain = await made.api.assistants.chat(here(made), { ...request, stream: false }, {})
  expect(streamed.value).toMatchObject({ complete: true, finishReason: 'stop' })
  expect(streamed.value.text).not.toBe('')
  expect(plain.value.text).toBe(streamed.value.text)
  expect(events.some(({ type }) => type === 'unknown')).toBe(false)
  const { value } = await made.api.assistants.conversations(
    here(made),
    { assistantId: defaultAssistantId, pageSize: 1 },
    {},
  )
  expect(value).toMatchObject({
    conversations: [{ assistantId: defaultAssistantId }],
    hasMore: true,
  })
})

test('completes a slides chat and reads it back', async () => {
  const made = await apiSetup()
  const messages: SlidesMessage[] = []
  const { value } = await made.api.slides.talk(
    here(made),
    { text: 'Two slides on tea' },
    { onMessage: (message) => void messages.push(message) },
  )
  expect(messages.some(({ phase }) => phase === 'answer')).toBe(true)
  const { conversationId } = value
  const history = await made.api.slides.conversation(
    here(made),
    { conversationId, includePdf: true },
    {},
  )
  expect(history.value.messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  const contents = history.value.messages[1]?.content ?? []
  expect(contents.some(({ fileUrl }) => fileUrl !== null)).toBe(true)
  const gone = made.api.slides.conversation(here(made), { conversationId: 'none' }, {})
  expect(await failureOf(gone)).toMatchObject({ code: 'INVALID_INPUT' })
})
