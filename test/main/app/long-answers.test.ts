import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ArchiveJob } from '../../../src/shared/model/archive.ts'
import type { ChatMessage } from '../../../src/shared/model/chat.ts'
import { memoryKeychain, testApp, type TestApp } from '../../fixtures/app.ts'
import { agent } from './chat-setup.ts'

// An answer of 12 MB: nothing of it is lost, wherever it goes.

const paragraph =
  'All work and no play makes Jack a dull boy. 只工作不玩耍，聪明的孩子也变傻。😀\n\n'
const piece = paragraph.repeat(4500)
const pieces = 29
const thought = 'Jack thinks again and again. '.repeat(60_000)
const text = `${piece.repeat(pieces)}The last word is zebrafinch.`
const event = (type: string, data: unknown): string => `data: ${JSON.stringify({ type, data })}\n\n`

let server: Server
let url: string
let asked: string[]
const apps: TestApp[] = []
beforeEach(async () => {
  asked = []
  server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (more: string) => (body += more))
    request.on('end', () => {
      if (!request.url?.endsWith('/agent/chat')) return response.end('{"voice_list":[]}')
      asked.push(body)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (asked.length > 1) return response.end(event('answer', 'Short.') + event('done', ''))
      response.write(event('reasoning', thought))
      for (let n = 0; n < pieces; n++) response.write(event('answer', piece))
      response.write(event('answer', text.slice(piece.length * pieces)))
      return response.end(event('done', ''))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterEach(async () => {
  for (const app of apps.splice(0).toReversed()) await app.remove()
  server.closeAllConnections()
  server.close()
})

async function open(): Promise<TestApp> {
  const app = await testApp({ keychain: memoryKeychain() })
  apps.push(app)
  return app
}

/** Tries again for two minutes. */
async function until<T>(work: () => Promise<T | null>): Promise<T> {
  for (const end = performance.now() + 120_000; performance.now() < end;) {
    const done = await work()
    if (done !== null) return done
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('It did not come')
}

async function ask(app: TestApp, id: string, streamId: string): Promise<ChatMessage> {
  const question = { id, text: 'Go on.', attachments: [], streamId, waits: false }
  const { answer } = await app.call('chats.ask', question)
  return until(async () => {
    const now = await app.call('chats.message', { id: answer?.id ?? '' })
    return now.state === 'running' ? null : now
  })
}

/** All of an answer's text, read as a page does. */
async function wholeText(app: TestApp, { id, text: begin }: ChatMessage): Promise<string> {
  let whole = begin
  for (;;) {
    const more = await app.call('chats.text', { messageId: id, from: whole.length })
    if (more.text === '') return whole
    whole += more.text
  }
}

async function exported(app: TestApp, id: string, format: 'md' | 'json'): Promise<string> {
  const { mediaId } = await app.call('chats.export', { id, format })
  const response = await app.app.fetch(new Request(`http://127.0.0.1/media/${mediaId}`))
  return response.text()
}

/** The only answer of a library. */
async function onlyAnswer(app: TestApp, conversationId: string): Promise<ChatMessage> {
  const { messages } = await app.call('chats.window', { id: conversationId, begin: true })
  const answer = messages.find(({ role }) => role === 'assistant')
  if (!answer) throw new Error('There is no answer')
  return answer
}

const found = (app: TestApp): Promise<string> =>
  until(async () => {
    const { hits } = await app.call('chats.search', { query: 'zebrafinch' })
    return hits[0]?.snippet ?? null
  })

async function ended(app: TestApp): Promise<ArchiveJob> {
  return until(async () => {
    const { job } = await app.call('archive.state', {})
    return job && job.state !== 'running' ? job : null
  })
}

async function archiveOf(app: TestApp): Promise<Uint8Array> {
  await app.call('archive.export', {})
  const { written } = await ended(app)
  const response = await app.app.fetch(
    new Request(`http://127.0.0.1/media/${written?.fetchId ?? ''}`),
  )
  return new Uint8Array(await response.arrayBuffer())
}

async function bring(app: TestApp, bytes: Uint8Array): Promise<void> {
  const headers = { 'x-lectern-name': 'mine.zip' }
  const request = { method: 'PUT', headers, body: new Uint8Array(bytes) }
  await app.app.fetch(new Request('http://127.0.0.1/archive', request))
  await app.call('archive.inspect', {})
  await ended(app)
  await app.call('archive.takeIn', {})
  expect(await ended(app)).toMatchObject({ state: 'done', error: null })
}

test('an answer of 12 MB is read, found, exported, imported, told again and archived whole', async () => {
  const app = await open()
  const account = await app.call('accounts.create', {
    preset: 'custom',
    name: 'Long',
    baseUrl: url,
  })
  await app.call('accounts.setKey', { id: account.id, key: 'long-answer-key-0123456789' })
  await app.call('accounts.activate', { id: account.id })
  const { id } = await app.call('chats.create', { settings: agent })

  const answer = await ask(app, id, 'long-answer-01')
  expect(Buffer.byteLength(text)).toBeGreaterThan(12_000_000)
  expect(answer).toMatchObject({
    state: 'done',
    error: null,
    shortened: { text: text.length, steps: true },
  })
  expect((await wholeText(app, answer)) === text).toBe(true)

  expect(await found(app)).toContain('The last word is zebrafinch.')
  const { places } = await app.call('chats.find', { id, query: 'zebrafinch' })
  expect(places).toEqual([
    { messageId: answer.id, offset: text.indexOf('zebrafinch'), length: 'zebrafinch'.length },
  ])

  const json = await exported(app, id, 'json')
  const written = JSON.parse(json) as { messages: ChatMessage[] }
  const inJson = written.messages.find(({ role }) => role === 'assistant')
  expect(inJson?.text === text).toBe(true)
  const [step] = inJson?.steps ?? []
  expect(step?.kind === 'reasoning' && step.text === thought).toBe(true)
  expect(await exported(app, id, 'md')).toContain('zebrafinch')

  await ask(app, id, 'long-answer-02')
  expect(asked[1]).toContain('The last word is zebrafinch.')

  const other = await open()
  await bring(other, await archiveOf(app))
  const there = await onlyAnswer(other, id)
  expect(there.shortened).toEqual(answer.shortened)
  expect((await wholeText(other, there)) === text).toBe(true)
  expect(await found(other)).toContain('The last word is zebrafinch.')
  const again = JSON.parse(await exported(other, id, 'json')) as { messages: ChatMessage[] }
  expect(again.messages[1]).toEqual(written.messages[1])

  const file = await other.intake('chat.json', new TextEncoder().encode(json))
  const mediaId = file.ok ? file.data.media.id : ''
  const { conversations } = await other.call('chats.import', { mediaId })
  const imported = await onlyAnswer(other, conversations[0]?.id ?? '')
  expect(imported.shortened).toEqual(answer.shortened)
  expect((await wholeText(other, imported)) === text).toBe(true)
  const back = JSON.parse(await exported(other, imported.conversationId, 'json')) as {
    messages: ChatMessage[]
  }
  expect(back.messages[1]?.steps).toEqual(inJson?.steps)
}, 300_000)
