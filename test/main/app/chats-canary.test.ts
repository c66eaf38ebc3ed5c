import { cp, mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { KeychainEntry } from '../../../src/main/platform/secrets/keychain.ts'
import type { Redactor } from '../../../src/main/platform/security/redact.ts'
import type { ChatSettings } from '../../../src/shared/model/chat.ts'
import { memoryKeychain, testApp, type TestApp } from '../../fixtures/app.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { startScriptedServer, type ScriptedReply } from '../../fixtures/scripted-server.ts'
import { agent, assistant, sse, streamId } from './chat-setup.ts'

const canary = 'canary0a1b2c3d4e5f60718293a4b5.Q9w8e7r6t5y4u3i2'
/** The parts of the key on either side of a cut. */
const [front, back] = [canary.slice(0, 26), canary.slice(26)]

/** Sends each part alone, with pauses that make it be stored and emitted separately. */
function slowly(events: readonly unknown[], more: Partial<ScriptedReply> = {}): ScriptedReply {
  const texts = events.map((event) => sse([event]))
  let at = 0
  const splitAt = texts.map((text) => (at += Buffer.byteLength(text)))
  return { body: texts.join(''), splitAt, betweenMs: 120, ...more }
}
const assistantEvent = (content: string, finish: string | null = null): object => ({
  conversation_id: 'c1',
  choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: finish }],
})
const ran = (input: string): object => ({
  conversation_id: 'c1',
  choices: [
    {
      index: 0,
      delta: {
        role: 'tool',
        tool_calls: [{ id: 't1', type: 'code_interpreter', code_interpreter: { input } }],
      },
      finish_reason: null,
    },
  ],
})

/** Starts the app with an account whose key is the canary; `reply` returns the response to any chat. */
async function opened(
  reply: () => ScriptedReply,
  options: Parameters<typeof testApp>[0] = {},
): Promise<TestApp> {
  const server = await startScriptedServer()
  server.always(({ url }) =>
    url.includes('/zrag/agent/chat') || url.endsWith('/assistant')
      ? reply()
      : { body: '{"voice_list":[]}' },
  )
  const lectern = await testApp(options)
  onTestFinished(async () => {
    await lectern.remove()
    await server.close()
  })
  const account = await lectern.call('accounts.create', {
    preset: 'custom',
    name: 'Canary',
    baseUrl: server.url,
  })
  await lectern.call('accounts.setKey', { id: account.id, key: canary })
  await lectern.call('accounts.activate', { id: account.id })
  return lectern
}

/** Returns everything that was emitted, logged, or stored in a folder. */
async function everything(lectern: TestApp): Promise<ReadonlyMap<string, string>> {
  const texts = new Map([
    ['told', JSON.stringify(lectern.events)],
    ['log', lectern.logLines.join('\n')],
  ])
  for (const entry of await readdir(lectern.home, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name)
      texts.set(path, (await readFile(path)).toString('latin1'))
    }
  return texts
}
async function expectNoKey(lectern: TestApp): Promise<void> {
  for (const [where, text] of await everything(lectern))
    for (const part of [canary, front, back]) expect(text.includes(part), where).toBe(false)
}

const kinds: readonly [string, ChatSettings, readonly object[]][] = [
  [
    'an answer of the agent',
    agent,
    [front, back, ' and so on'].map((data) => ({ type: 'answer', sessionId: 's1', data })),
  ],
  [
    'the reasoning of the agent',
    agent,
    [
      ...(['reasoning', 'thought'] as const).flatMap((type) =>
        [`It is ${front}`, back].map((data) => ({ type, sessionId: 's1', data })),
      ),
      { type: 'answer', sessionId: 's1', data: 'Well.' },
    ],
  ],
  [
    'text at the end of an answer of the agent',
    agent,
    [
      { type: 'answer', sessionId: 's1', data: `The key: ${front}` },
      { type: 'tool_call', sessionId: 's1', data: { callId: '1', toolName: 't', arguments: {} } },
      { type: 'answer', sessionId: 's1', data: `Again: ${front}` },
    ],
  ],
  [
    'code that an assistant runs',
    assistant,
    [ran(`key = '${front}`), ran(`${back}'`), assistantEvent('Well.', 'stop')],
  ],
  [
    'an answer of an assistant',
    assistant,
    [assistantEvent(`It is ${front}`), assistantEvent(back), assistantEvent('', 'stop')],
  ],
]

test.each(kinds)('neither stores nor emits a key in parts: %s', async (_, settings, events) => {
  const ends = settings.kind === 'agent' ? [{ type: 'done', sessionId: 's1', messageId: 'm' }] : []
  const lectern = await opened(() => slowly([...events, ...ends]))
  const { id } = await lectern.call('chats.create', { settings })
  const sent = await lectern.call('chats.ask', { id, text: 'Which?', streamId: streamId() })
  const message = await eventually(async () => {
    const now = await lectern.call('chats.message', { id: sent.answer?.id ?? '' })
    if (now.state === 'running') throw new Error('it runs')
    return now
  })
  expect(JSON.stringify([message.text, message.steps])).toContain('[redacted]')
  await lectern.stop()
  await expectNoKey(lectern)
})

test('does not store a partial key where a stream was interrupted or stopped', async () => {
  const chunks = [`Words first. `, front].map((data) => ({ type: 'answer', data }))
  const lectern = await opened(() => slowly(chunks, { hang: true }))
  const { id } = await lectern.call('chats.create', { settings: agent })
  const sent = await lectern.call('chats.ask', { id, text: 'Which?', streamId: streamId() })
  await lectern.until(
    ({ channel, event }) =>
      channel === 'stream' && event.type === 'events' && event.batch.json.includes('Words first'),
  )
  await new Promise((resolve) => setTimeout(resolve, 400))
  const stopped = await lectern.call('chats.stop', { messageId: sent.answer?.id ?? '' })
  expect(stopped).toMatchObject({ state: 'stopped', text: 'Words first. [redacted]' })
  await lectern.stop()
  await expectNoKey(lectern)
})

test('settles answers of an earlier run only once the keys are known', async () => {
  const keychain = memoryKeychain()
  // An app that masks nothing simulates any cause of a stored key.
  const careless: Redactor = {
    register: () => undefined,
    redact: (text) => text,
    maskKnown: (text) => text,
    openEnd: () => 0,
    fields: (value) => value,
  }
  const chunks = [`It is ${front}`, `${back}, I say`].map((data) => ({ type: 'answer', data }))
  const before = await opened(() => slowly(chunks, { hang: true }), {
    keychain,
    redactor: careless,
  })
  const { id } = await before.call('chats.create', { settings: agent })
  const sent = await before.call('chats.ask', { id, text: 'Which?', streamId: streamId() })
  await before.until(
    ({ channel, event }) =>
      channel === 'stream' && event.type === 'events' && event.batch.json.includes('I say'),
  )
  // The folder as a power failure leaves it.
  const home = await mkdtemp(join(tmpdir(), 'lectern-app-'))
  await cp(before.home, home, { recursive: true })
  const slow = {
    ...keychain,
    get: async (entry: KeychainEntry) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      return keychain.get(entry)
    },
  }
  const after = await testApp({ home, keychain: slow })
  onTestFinished(() => after.remove())
  const message = await eventually(async () => {
    const now = await after.call('chats.message', { id: sent.answer?.id ?? '' })
    if (now.state === 'running') throw new Error('it runs')
    return now
  })
  expect(message).toMatchObject({ state: 'broken', text: 'It is [redacted], I say' })
  expect(JSON.stringify(after.events)).not.toContain(canary)
})

test('masks a replaced key like the present one', async () => {
  const events = [`It was ${front}`, back, '.'].map((data) => ({ type: 'answer', data }))
  const lectern = await opened(() => slowly([...events, { type: 'done', messageId: 'm' }]))
  const [account] = (await lectern.call('accounts.list', {})).filter(({ active }) => active)
  const id = account?.id ?? ''
  await lectern.call('accounts.setKey', { id, key: 'another-key-of-no-worth-0123456789' })
  const chat = await lectern.call('chats.create', { settings: agent })
  const sent = await lectern.call('chats.ask', { id: chat.id, text: '?', streamId: streamId() })
  const message = await eventually(async () => {
    const now = await lectern.call('chats.message', { id: sent.answer?.id ?? '' })
    if (now.state === 'running') throw new Error('it runs')
    return now
  })
  expect(message).toMatchObject({ state: 'done', text: 'It was [redacted].' })
  await lectern.stop()
  await expectNoKey(lectern)
})
