import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ChatMessage } from '../../src/shared/model/chat.ts'
import { maxAnswerBytes } from '../../src/main/provider-client/event-call.ts'
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

/** Returns the length of the longest message sent to a page, in characters. */
const maxMessageLength = (): number =>
  Math.max(
    ...lectern.events.map(({ channel, event }) =>
      channel === 'app' && event.type === 'chat.message' ? JSON.stringify(event).length : 0,
    ),
  )

/** Returns the complete text of an answer, read as a page does. */
async function wholeText({ id, text }: ChatMessage): Promise<string> {
  let whole = text
  for (;;) {
    const { text: more } = await lectern.call('chats.text', { messageId: id, from: whole.length })
    if (more === '') return whole
    whole += more
  }
}

/** Returns the stored size of all steps of an answer in bytes. */
function stepBytes({ id, steps, shortened }: ChatMessage): number {
  if (!shortened?.steps) return steps.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(steps))
  const db = new Database(join(lectern.home, 'library.db'), { readonly: true })
  try {
    const parts = db
      .prepare<[string], string>(
        `SELECT p.text FROM message_parts p JOIN messages m ON m.seq = p.message_seq
         WHERE m.id = ? AND p.kind = 'steps' ORDER BY p.start`,
      )
      .pluck()
      .all(id)
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(megabyte)
    const json = parts.join('')
    expect(JSON.parse(json)).toHaveLength(steps.length)
    return Buffer.byteLength(json)
  } finally {
    db.close()
  }
}

/** Returns the size of the database and its log in bytes, and that of each file for a failed expectation. */
const databaseSize = (): readonly [total: number, files: string] => {
  const files = readdirSync(lectern.home)
    .filter((name) => name.startsWith('library.db'))
    .map((name) => ({ name, size: statSync(join(lectern.home, name)).size }))
  return [files.reduce((sum, { size }) => sum + size, 0), JSON.stringify(files)]
}

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
  const savedBytes = Buffer.byteLength(await wholeText(answer)) + stepBytes(answer)
  expect(savedBytes).toBeGreaterThan(maxAnswerBytes - megabyte)
  expect(savedBytes).toBeLessThan(maxAnswerBytes + megabyte)
  // No message is longer than a page can process at once.
  expect(JSON.stringify(answer).length).toBeLessThan(1.25 * megabyte)
  expect(maxMessageLength()).toBeLessThan(1.25 * megabyte)
  await eventually(() => expect(server.open()).toBe(0))
  expect(server.requestCount()).toBe(1)
  let writes = 0
  await eventually(async () => {
    // The first write after a checkpoint truncates the log. Saving what is already saved writes nothing.
    await lectern.call('library.rename', { id, title: `Endless ${writes++}` })
    const [total, files] = databaseSize()
    expect(total, files).toBeLessThan(64 * megabyte)
  })
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
    await eventually(() => {
      const [total, files] = databaseSize()
      expect(total, files).toBeLessThan(64 * megabyte)
    })
    expect(JSON.stringify(run).length).toBeLessThan(1.25 * megabyte)
    expect(longestBatch()).toBeLessThan(megabyte)
  },
)
