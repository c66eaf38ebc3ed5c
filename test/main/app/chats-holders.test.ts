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

const bodyOf = (fixture: ChatSetup, at: number): Record<string, unknown> =>
  JSON.parse(fixture.chats()[at]?.body.toString('utf8') ?? '{}') as Record<string, unknown>

async function answered(fixture: ChatSetup, id: string, text: string) {
  const sent = await fixture.lectern.call('chats.ask', { id, text, streamId: streamId() })
  return fixture.settled(sent.answer?.id ?? '')
}

/** Creates another account at the same provider. */
async function otherAccount(fixture: ChatSetup): Promise<string> {
  const made = await fixture.lectern.call('accounts.create', {
    preset: 'custom',
    name: 'Other',
    baseUrl: fixture.server.url,
  })
  await fixture.lectern.call('accounts.setKey', { id: made.id, key: 'other-key-0123456789' })
  return made.id
}

test('sends a session only with the account and the key that began it', async () => {
  const fixture = await chatSetup()
  const { lectern } = fixture
  const { id } = await fixture.begin()
  fixture.queue({ body: sse(agentAnswer(['One'])) }, { body: sse(agentAnswer(['Two'], 's2')) })
  await answered(fixture, id, 'First?')
  await lectern.call('chats.configure', {
    id,
    settings: agent,
    accountId: await otherAccount(fixture),
  })
  expect(await answered(fixture, id, 'Second?')).toMatchObject({ state: 'done', resentTurns: 2 })
  expect(fixture.chats()[1]?.headers['x-session-id']).toBeUndefined()
  expect(fixture.chats()[1]?.headers['authorization']).toBe('Bearer other-key-0123456789')
  expect(JSON.stringify(bodyOf(fixture, 1))).toContain('First?')

  // Its own session continues until the key changes, also after a restart.
  fixture.queue({ body: sse(agentAnswer(['Three'], 's2')) })
  await answered(fixture, id, 'Third?')
  expect(fixture.chats()[2]?.headers['x-session-id']).toBe('s2')
  const { accountId } = await lectern.call('chats.get', { id })
  await lectern.call('accounts.setKey', { id: accountId, key: 'newest-key-0123456789' })
  await fixture.restart()
  fixture.queue(
    { body: sse(agentAnswer(['Four'], 's3')) },
    { body: sse(agentAnswer(['Five'], 's3')) },
  )
  expect(await answered(fixture, id, 'Fourth?')).toMatchObject({ state: 'done', resentTurns: 6 })
  expect(fixture.chats()[3]?.headers['x-session-id']).toBeUndefined()
  await fixture.restart()
  await answered(fixture, id, 'Fifth?')
  expect(fixture.chats()[4]?.headers['x-session-id']).toBe('s3')
})

test('continues an assistant conversation only with the same assistant and account', async () => {
  const fixture = await chatSetup()
  const { lectern } = fixture
  const { id } = await fixture.begin(assistant)
  const answers = ['One', 'Two', 'Three', 'Four'].map((text) => ({ body: assistantAnswer([text]) }))
  fixture.queue(...answers)
  await answered(fixture, id, '1?')
  await answered(fixture, id, '2?')
  expect(bodyOf(fixture, 1)).toMatchObject({ conversation_id: 'c1' })
  const other: AssistantSettings = { ...assistant, assistantId: '659e54b1b8006379b4b2abd6' }
  await lectern.call('chats.configure', { id, settings: other })
  expect(await answered(fixture, id, '3?')).toMatchObject({ resentTurns: 4 })
  expect(bodyOf(fixture, 2)['conversation_id']).toBeUndefined()
  await lectern.call('chats.configure', {
    id,
    settings: other,
    accountId: await otherAccount(fixture),
  })
  expect(await answered(fixture, id, '4?')).toMatchObject({ resentTurns: 6 })
  expect(bodyOf(fixture, 3)['conversation_id']).toBeUndefined()
})
