import { afterAll, beforeAll, expect, test } from 'vitest'
import { predefinedAssistants } from '../../../src/shared/provider/assistants.ts'
import type { ChatMessage } from '../../../src/shared/model/chat.ts'
import { testApp, type TestApp } from '../../fixtures/app.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { agent, assistant, streamId } from './chat-setup.ts'

let lectern: TestApp
beforeAll(async () => {
  lectern = await testApp()
})
afterAll(() => lectern.remove())

const idOf = (purpose: string): string =>
  predefinedAssistants.find((one) => one.purpose === purpose)?.id ?? ''
const over = (id: string): Promise<ChatMessage> =>
  eventually(async () => {
    const message = await lectern.call('chats.message', { id })
    if (message.state === 'running') throw new Error('it runs')
    return message
  })
const ask = async (id: string, text: string): Promise<ChatMessage> => {
  const { answer } = await lectern.call('chats.ask', { id, text, streamId: streamId() })
  return over(answer?.id ?? '')
}

test('stores the image drawn by an on-device assistant', async () => {
  const { id } = await lectern.call('chats.create', {
    settings: { ...assistant, assistantId: idOf('drawing') },
  })
  const answer = await ask(id, 'A lighthouse at night')
  expect(answer).toMatchObject({ state: 'done', error: null, engine: expect.any(String) })
  const [step] = answer.steps
  const outputs = step?.kind === 'tool' ? (step.call['outputs'] as { mediaId?: string }[]) : []
  const mediaId = outputs[0]?.mediaId ?? ''
  const reply = await lectern.app.fetch(
    new Request(`http://127.0.0.1/media/${mediaId}`),
    lectern.page,
  )
  expect(reply.headers.get('content-type')).toBe('image/png')
})

test('continues the session of the on-device agent, and resends history on a branch', async () => {
  const run = async (operation: string, input: Record<string, unknown>): Promise<unknown> => {
    const stream = streamId()
    const started = await lectern.call('runs.start', { operation, input, streamId: stream })
    await lectern.until(
      ({ channel, event }) =>
        channel === 'stream' &&
        event.streamId === stream &&
        (event.type === 'end' || event.type === 'error'),
    )
    return (await lectern.call('runs.get', { id: started.id })).value
  }
  const made = (await run('knowledge.create', { name: 'Office', embeddingId: 11 })) as {
    id: string
  }
  const settings = { ...agent, knowledgeIds: [made.id], thinking: true }
  const { id } = await lectern.call('chats.create', { settings })
  const first = await ask(id, 'What does a parking place cost?')
  expect(first).toMatchObject({ state: 'done', resentTurns: 0 })
  expect(first.usage?.reasoning).toBeGreaterThan(0)
  const second = await ask(id, 'And in the garage?')
  expect(second).toMatchObject({ state: 'done', resentTurns: 0 })
  const again = await lectern.call('chats.regenerate', {
    messageId: second.id,
    streamId: streamId(),
  })
  const regenerated = await over(again.answer?.id ?? '')
  expect(regenerated).toMatchObject({ state: 'done', resentTurns: 2 })
  // It searched for the question, not for the resent turns.
  const query = JSON.stringify(regenerated.steps.find((step) => step.kind === 'call'))
  expect(query).not.toContain('conversation-')
})

test('lists and stores assistants, always including the predefined ones', async () => {
  const before = await lectern.call('chats.assistants', {})
  expect(before.assistants).toHaveLength(12)
  expect(before).toMatchObject({ at: null, failure: null })
  const listed = await lectern.call('chats.assistants', { refresh: true })
  expect(listed.failure).toBeNull()
  expect(listed.assistants[0]).toMatchObject({ name: 'General chat', listedAt: listed.at })
  expect(await lectern.call('chats.assistants', {})).toEqual(listed)
  const chinese = await lectern.call('chats.assistants', { refresh: true, language: 'zh-CN' })
  expect(chinese.assistants[0]).toMatchObject({ name: '通用对话', tags: ['通用对话'] })
  expect(await lectern.raw('chats.assistants', { accountId: 'none' })).toMatchObject({
    error: { code: 'NOT_FOUND' },
  })
})

test('finds no document for an unknown ID and name', async () => {
  expect(await lectern.call('chats.locate', { documentId: 'x', name: 'nobody.pdf' })).toEqual({
    itemId: null,
    by: null,
  })
})
