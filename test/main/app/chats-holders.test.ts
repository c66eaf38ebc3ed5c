import { expect, test } from 'vitest'
import type { AssistantSettings } from '../../../src/shared/model/chat.ts'
import {
  agent,
  agentAnswer,
  assistant,
  assistantAnswer,
  chatSetup,
  sse,
  streamId,
  type ChatSetup,
} from './chat-setup.ts'

const bodyOf = (bench: ChatSetup, at: number): Record<string, unknown> =>
  JSON.parse(bench.chats()[at]?.body.toString('utf8') ?? '{}') as Record<string, unknown>

async function answered(bench: ChatSetup, id: string, text: string) {
  const sent = await bench.lectern.call('chats.ask', { id, text, streamId: streamId() })
  return bench.settled(sent.answer?.id ?? '')
}

/** Another account at the same service. */
async function otherAccount(bench: ChatSetup): Promise<string> {
  const made = await bench.lectern.call('accounts.create', {
    preset: 'custom',
    name: 'Other',
    baseUrl: bench.server.url,
  })
  await bench.lectern.call('accounts.setKey', { id: made.id, key: 'other-key-0123456789' })
  return made.id
}

test('a session is told to nobody but the account and the key that began it', async () => {
  const bench = await chatSetup()
  const { lectern } = bench
  const { id } = await bench.begin()
  bench.queue({ body: sse(agentAnswer(['One'])) }, { body: sse(agentAnswer(['Two'], 's2')) })
  await answered(bench, id, 'First?')
  await lectern.call('chats.configure', {
    id,
    settings: agent,
    accountId: await otherAccount(bench),
  })
  expect(await answered(bench, id, 'Second?')).toMatchObject({ state: 'done', retold: 2 })
  expect(bench.chats()[1]?.headers['x-session-id']).toBeUndefined()
  expect(bench.chats()[1]?.headers['authorization']).toBe('Bearer other-key-0123456789')
  expect(JSON.stringify(bodyOf(bench, 1))).toContain('First?')

  // Its own session goes on, until the key is another one; also over a restart.
  bench.queue({ body: sse(agentAnswer(['Three'], 's2')) })
  await answered(bench, id, 'Third?')
  expect(bench.chats()[2]?.headers['x-session-id']).toBe('s2')
  const { accountId } = await lectern.call('chats.get', { id })
  await lectern.call('accounts.setKey', { id: accountId, key: 'newest-key-0123456789' })
  await bench.restart()
  bench.queue(
    { body: sse(agentAnswer(['Four'], 's3')) },
    { body: sse(agentAnswer(['Five'], 's3')) },
  )
  expect(await answered(bench, id, 'Fourth?')).toMatchObject({ state: 'done', retold: 6 })
  expect(bench.chats()[3]?.headers['x-session-id']).toBeUndefined()
  await bench.restart()
  await answered(bench, id, 'Fifth?')
  expect(bench.chats()[4]?.headers['x-session-id']).toBe('s3')
})

test('a conversation with an assistant is gone on with by that assistant and account alone', async () => {
  const bench = await chatSetup()
  const { lectern } = bench
  const { id } = await bench.begin(assistant)
  const answers = ['One', 'Two', 'Three', 'Four'].map((text) => ({ body: assistantAnswer([text]) }))
  bench.queue(...answers)
  await answered(bench, id, '1?')
  await answered(bench, id, '2?')
  expect(bodyOf(bench, 1)).toMatchObject({ conversation_id: 'c1' })
  const other: AssistantSettings = { ...assistant, assistantId: '659e54b1b8006379b4b2abd6' }
  await lectern.call('chats.configure', { id, settings: other })
  expect(await answered(bench, id, '3?')).toMatchObject({ retold: 4 })
  expect(bodyOf(bench, 2)['conversation_id']).toBeUndefined()
  await lectern.call('chats.configure', {
    id,
    settings: other,
    accountId: await otherAccount(bench),
  })
  expect(await answered(bench, id, '4?')).toMatchObject({ retold: 6 })
  expect(bodyOf(bench, 3)['conversation_id']).toBeUndefined()
})
