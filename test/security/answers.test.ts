import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { maxAnswerBytes } from '../../src/main/api/answer-limit.ts'
import { memoryKeychain, testApp, type TestApp } from '../fixtures/app.ts'
import { floods, startEndlessServer, type EndlessServer } from '../fixtures/endless-server.ts'
import { eventually } from '../fixtures/eventually.ts'
import { agent, assistant } from '../main/app/chat-setup.ts'

// Attacks with endless answers, in chunks of 400 KB: text, reasoning, calls and tool results.

const megabyte = 2 ** 20
const names = Object.keys(floods)
const settings = { agent, assistant }

let server: EndlessServer
let lectern: TestApp
beforeEach(async () => {
  server = await startEndlessServer()
  lectern = await testApp({ keychain: memoryKeychain() })
})
afterEach(async () => {
  await lectern.remove()
  await server.close()
})

async function useFloodingAccount(flood: string): Promise<void> {
  const account = await lectern.call('accounts.create', {
    preset: 'custom',
    name: 'Endless',
    baseUrl: server.url(flood),
  })
  await lectern.call('accounts.setKey', { id: account.id, key: 'endless-key-0123456789' })
  await lectern.call('accounts.activate', { id: account.id })
}

/** Returns the length of the longest event batch sent to a page, in characters. */
const longestBatch = (): number =>
  Math.max(
    ...lectern.events.map(({ channel, event }) =>
      channel === 'stream' && event.type === 'events' ? event.batch.json.length : 0,
    ),
  )

const databaseSize = (): number =>
  readdirSync(lectern.home)
    .filter((name) => name.startsWith('library.db'))
    .reduce((sum, name) => sum + statSync(join(lectern.home, name)).size, 0)

test.each(names)('cuts an endless chat answer and keeps the received part: %s', async (name) => {
  await useFloodingAccount(name)
  const from = floods[name]?.from ?? 'agent'
  const { id } = await lectern.call('chats.create', { settings: settings[from] })
  const question = { id, text: 'Go on.', attachments: [], streamId: 'endless-0001', waits: false }
  const turn = await lectern.call('chats.ask', question)
  const answer = await eventually(async () => {
    const now = await lectern.call('chats.message', { id: turn.answer?.id ?? '' })
    if (now.state === 'running') throw new Error('it runs')
    return now
  })
  expect(answer).toMatchObject({ state: 'broken', error: { code: 'ANSWER_TOO_LONG' } })
  const savedBytes = Buffer.byteLength(answer.text + JSON.stringify(answer.steps))
  expect(savedBytes).toBeGreaterThan(maxAnswerBytes / 3)
  expect(savedBytes).toBeLessThan(maxAnswerBytes + megabyte)
  await eventually(() => expect(server.open()).toBe(0))
  expect(server.requestCount()).toBe(1)
  expect(databaseSize()).toBeLessThan(32 * megabyte)
  if (name !== 'assistant-call' && name !== 'assistant-outputs')
    expect(longestBatch()).toBeLessThan(megabyte)
})

test.each(names)(
  'cuts an endless Playground answer and keeps the received part: %s',
  async (name) => {
    await useFloodingAccount(name)
    const input =
      floods[name]?.from === 'agent'
        ? { messages: ['Go on.'], retrieval: { knowledgeIds: ['k1'] } }
        : { assistantId: assistant.assistantId, messages: ['Go on.'] }
    const operation = floods[name]?.from === 'agent' ? 'agents.chat' : 'assistants.chat'
    const { id } = await lectern.call('runs.start', { operation, input, streamId: 'endless-0002' })
    const run = await eventually(async () => {
      const now = await lectern.call('runs.get', { id })
      if (now.state === 'running') throw new Error('it runs')
      return now
    })
    expect(run.error?.code).toBe('ANSWER_TOO_LONG')
    expect(run.events).toBeGreaterThan(4)
    await eventually(() => expect(server.open()).toBe(0))
    expect(databaseSize()).toBeLessThan(32 * megabyte)
    expect(longestBatch()).toBeLessThan(megabyte)
  },
)
