import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ArchiveJob } from '../../../src/shared/model/archive.ts'
import type { ChatMessage } from '../../../src/shared/model/chat.ts'
import { memoryKeychain, testApp, type TestApp } from '../../fixtures/app.ts'
import { agent } from './chat-setup.ts'

// An answer of 12 MB stays complete on every path through the app.

const paragraph =
  'All work and no play makes Jack a dull boy. 只工作不玩耍，聪明的孩子也变傻。😀\n\n'
const chunk = paragraph.repeat(4500)
const chunkCount = 29
const thought = 'Jack thinks again and again. '.repeat(60_000)
const text = `${chunk.repeat(chunkCount)}The last word is zebrafinch.`
const event = (type: string, data: unknown): string => `data: ${JSON.stringify({ type, data })}\n\n`

let server: Server
let url: string
let requests: string[]
const apps: TestApp[] = []
beforeEach(async () => {
  requests = []
  server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (more: string) => (body += more))
    request.on('end', () => {
      if (!request.url?.endsWith('/agent/chat')) return response.end('{"voice_list":[]}')
      requests.push(body)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (requests.length > 1) return response.end(event('answer', 'Short.') + event('done', ''))
      response.write(event('reasoning', thought))
      for (let n = 0; n < chunkCount; n++) response.write(event('answer', chunk))
      response.write(event('answer', text.slice(chunk.length * chunkCount)))
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

/** Repeats the work until it returns a value, for up to two minutes. */
async function until<T>(work: () => Promise<T | null>): Promise<T> {
  for (const end = performance.now() + 120_000; performance.now() < end;) {
    const done = await work()
    if (done !== null) return done
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('No result within two minutes')
}

async function ask(app: TestApp, id: string, streamId: string): Promise<ChatMessage> {
  const question = { id, text: 'Go on.', attachments: [], streamId, waits: false }
  const { answer } = await app.call('chats.ask', question)
  return until(async () => {
    const now = await app.call('chats.message', { id: answer?.id ?? '' })
    return now.state === 'running' ? null : now
  })
}

/** Returns the complete text of an answer, read as a page does. */
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

/** Returns the only answer of a chat. */
async function onlyAnswer(app: TestApp, conversationId: string): Promise<ChatMessage> {
  const { messages } = await app.call('chats.window', { id: conversationId, begin: true })
  const answer = messages.find(({ role }) => role === 'assistant')
  if (!answer) throw new Error('There is no answer')
  return answer
}

const findSnippet = (app: TestApp): Promise<string> =>
  until(async () => {
    const { hits } = await app.call('chats.search', { query: 'zebrafinch' })
    return hits[0]?.snippet ?? null
  })

async function finishedJob(app: TestApp): Promise<ArchiveJob> {
  return until(async () => {
    const { job } = await app.call('archive.state', {})
    return job && job.state !== 'running' ? job : null
  })
}

async function archiveOf(app: TestApp): Promise<Uint8Array> {
  await app.call('archive.export', {})
  const { written } = await finishedJob(app)
  const response = await app.app.fetch(
    new Request(`http://127.0.0.1/media/${written?.fetchId ?? ''}`),
  )
  return new Uint8Array(await response.arrayBuffer())
}

async function importArchive(app: TestApp, bytes: Uint8Array): Promise<void> {
  const headers = { 'x-lectern-name': 'mine.zip' }
  const request = { method: 'PUT', headers, body: new Uint8Array(bytes) }
  await app.app.fetch(new Request('http://127.0.0.1/archive', request))
  await app.call('archive.inspect', {})
  await finishedJob(app)
  await app.call('archive.import', {})
  expect(await finishedJob(app)).toMatchObject({ state: 'done', error: null })
}

test('reads, finds, exports, imports, resends and archives an answer of 12 MB completely', async () => {
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

  expect(await findSnippet(app)).toContain('The last word is zebrafinch.')
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
  expect(requests[1]).toContain('The last word is zebrafinch.')

  const other = await open()
  await importArchive(other, await archiveOf(app))
  const restored = await onlyAnswer(other, id)
  expect(restored.shortened).toEqual(answer.shortened)
  expect((await wholeText(other, restored)) === text).toBe(true)
  expect(await findSnippet(other)).toContain('The last word is zebrafinch.')
  const exportedAgain = JSON.parse(await exported(other, id, 'json')) as { messages: ChatMessage[] }
  expect(exportedAgain.messages[1]).toEqual(written.messages[1])

  const file = await other.intake('chat.json', new TextEncoder().encode(json))
  const mediaId = file.ok ? file.data.media.id : ''
  const { itemId } = await other.call('library.import', { mediaId })
  const imported = await onlyAnswer(other, itemId)
  expect(imported.shortened).toEqual(answer.shortened)
  expect((await wholeText(other, imported)) === text).toBe(true)
  const fromImport = JSON.parse(await exported(other, imported.conversationId, 'json')) as {
    messages: ChatMessage[]
  }
  expect(fromImport.messages[1]?.steps).toEqual(inJson?.steps)
}, 300_000)
