import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { retentionDays } from '../../src/local-service/retention-days.ts'
import { openState } from '../../src/local-service/state.ts'
import { sineWav } from '../fixtures/wav.ts'
import { question, reply } from './fixtures/agent.ts'
import { outcomeOf, post, uploaded } from './fixtures/json-call.ts'
import type { Json } from './fixtures/json-call.ts'
import { embedded, newBase } from './fixtures/knowledge.ts'
import { pdfOf } from './fixtures/pdf.ts'
import { startTestService } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'
import { dataOf } from './fixtures/streams.ts'

// A document is read and embedded, and the local service starts three times.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const dayMs = 24 * 3600 * 1000
const begun = Date.now()
let now = begun
let service: TestService
beforeAll(async () => {
  service = await startTestService({ clock: () => now })
})
afterAll(() => service.stop())

const messages = [{ role: 'user', content: [{ type: 'text', text: 'A deck\n- of a page' }] }]
const made = async (path: string, body: Json): Promise<Json> =>
  (await (await post(service, path, body)).json()) as Json

/** Creates everything that the local service stores, once. */
async function makeAll() {
  const response = await made('/v1/responses', { model: 'gen-4', input: 'Hi', store: true })
  const task = await made('/paas/v4/async/images/generations', {
    model: 'gen-image',
    prompt: 'tea',
  })
  now += 4000
  await service.call(`/paas/v4/async-result/${String(task['id'])}`)
  const agent_id = 'slides_gen_agent'
  const talk = await post(service, '/v1/agents', { agent_id, stream: true, messages })
  const [first = ''] = dataOf(await talk.text())
  const { conversation_id } = JSON.parse(first) as { conversation_id: string }
  const assistant_id = '65940acff94777010aa6b796'
  const chat = { assistant_id, model: 'gen-4-assistant', stream: false, messages }
  const conversation = String((await made('/paas/v4/assistant', chat))['conversation_id'])
  const base = await newBase(service)
  const session = (await reply(service, question('A question?', [base]))).sessionId
  const body = question('Another?', [base])
  return {
    response: () => service.call(`/v1/responses/${String(response['id'])}`),
    task: () => service.call(`/paas/v4/async-result/${String(task['id'])}`),
    deck: () => post(service, '/v1/agents', { agent_id, stream: true, messages, conversation_id }),
    conversation: () =>
      post(service, '/paas/v4/assistant', { ...chat, conversation_id: conversation }),
    session: () => post(service, '/zrag/agent/chat', body, sessionHeader(session)),
    base,
  }
}

const sessionHeader = (id: string): RequestInit => ({
  headers: { 'content-type': 'application/json', 'x-session-id': id },
})

const media = (): string => join(service.home, 'media')

test('removes old data at the next start; documents and voices retain their files', async () => {
  const { base, ...saved } = await makeAll()
  const document = await embedded(
    service,
    base,
    'a.pdf',
    await pdfOf([['The blue door is locked.']]),
  )
  const file_id = await uploaded(
    service,
    sineWav({ seconds: 1, hz: 440 }),
    'a.wav',
    'voice-clone-input',
  )
  const clone = { model: 'gen-tts-clone', voice_name: 'Anna', input: 'Hello', file_id }
  expect(await outcomeOf(await post(service, '/paas/v4/voice/clone', clone))).toBe('ok')
  const count = (await readdir(media())).length

  now = begun + (retentionDays.responses + 1) * dayMs
  await service.restart()
  expect(await outcomeOf(await saved.response())).toBe('404 invalid_request')
  expect(await outcomeOf(await saved.task())).toBe('ok')
  expect(await readdir(media())).toHaveLength(count)

  // These are continued now and therefore survive.
  expect(await outcomeOf(await saved.session())).toBe('ok')
  expect(await outcomeOf(await saved.conversation())).toBe('ok')
  now = begun + 31 * dayMs
  await service.restart()
  expect(await outcomeOf(await saved.session())).toBe('ok')
  expect(await outcomeOf(await saved.conversation())).toBe('ok')
  expect(await outcomeOf(await saved.task())).toBe('404 404')
  expect(await outcomeOf(await saved.deck())).toBe('404 404')
  const endings = async (): Promise<string[]> =>
    (await readdir(media())).map((name) => name.slice(-3)).toSorted()
  await expect.poll(endings).toEqual(['pdf', 'wav'])
  expect((await fetch(document.url.replace(/^.*\/media/, `${service.url}/media`))).status).toBe(200)

  now = begun + 70 * dayMs
  await service.restart()
  expect(await outcomeOf(await saved.session())).toBe('404 404')
  expect(await outcomeOf(await saved.conversation())).toBe('404 404')
  const state = openState(service.home)
  expect(state.prepare('SELECT count(*) AS n FROM agent_turns').get()).toEqual({ n: 0 })
  state.close()
})

test('retains the images of a continued presentation as long as the presentation', async () => {
  const agent_id = 'slides_gen_agent'
  const order = { agent_id, stream: true, messages }
  const [first = ''] = dataOf(await (await post(service, '/v1/agents', order)).text())
  const { conversation_id } = JSON.parse(first) as { conversation_id: string }
  const stray = `${'0'.repeat(32)}.jpg`
  await writeFile(join(media(), stray), 'a picture nobody refers to')
  const old = new Date(begun - 100 * dayMs)
  for (const name of await readdir(media())) await utimes(join(media(), name), old, old)
  now += 20 * dayMs
  await (await post(service, '/v1/agents', { ...order, conversation_id })).text()
  now += 20 * dayMs
  await service.restart()
  const names = (): Promise<string[]> => readdir(media())
  // The unreferenced file is removed, and it is first by its name.
  await expect.poll(names).not.toContain(stray)
  expect((await names()).filter((name) => name.endsWith('.png'))).toHaveLength(2)
})
