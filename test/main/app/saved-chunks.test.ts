import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { memoryKeychain, testApp, type TestApp } from '../../fixtures/app.ts'
import { eventually } from '../../fixtures/eventually.ts'
import {
  startScriptedServer,
  type ScriptedReply,
  type ScriptedServer,
} from '../../fixtures/scripted-server.ts'
import { agent, streamId } from './chat-setup.ts'
import { makeBase, settingsOf } from './retrieval-setup.ts'

let server: ScriptedServer
let lectern: TestApp
let accountId: string
const keychain = memoryKeychain()
const image = await readFile(new URL('../../../resources/icon.png', import.meta.url))
const json = (value: unknown): ScriptedReply => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})
const position = { x0: 10, x1: 60, top: 20, bottom: 40, page: 0, height: 200, width: 100 }
const data = () => ({
  document_slices: [
    {
      document: { id: 'd1', name: 'Report.pdf', url: '', dtype: 1 },
      slice_info: [{ document_id: 'd1', text: 'One', position }],
      hide_positions: false,
      images: [{ text: 'A figure', cos_url: `${server.url}/figure.png` }],
    },
    {
      document: { id: 'd2', name: 'Prices.xlsx', url: '', dtype: 2 },
      slice_info: [{ document_id: 'd2', text: 'a\tb', line: 4, sheet_name: 'Prices' }],
      hide_positions: true,
      images: [],
    },
  ],
  has_old_document: true,
})

let signature = 0
/** Signs URLs again in each list. */
const signed = () => {
  signature += 1
  return [
    { text: '【Figure_1】', cos_url: `${server.url}/figure.png?sign=${signature}` },
    { text: '【Figure_2】', cos_url: `${server.url}/other.png?sign=${signature}` },
  ]
}
const hits = [
  {
    text: 'See 【Figure_1】 for it.',
    score: 0.5,
    metadata: { doc_id: 'd1', doc_name: 'Report.pdf' },
  },
  { text: 'Only words.', score: 0.4, metadata: { doc_id: 'd2', doc_name: 'Notes.md' } },
]

beforeEach(async () => {
  server = await startScriptedServer()
  server.always(({ url }) => {
    if (url.endsWith('/slice_info')) return json({ code: 200, message: 'ok', data: data() })
    if (url.endsWith('/image_list/d1')) return json({ code: 200, data: { images: signed() } })
    if (url.endsWith('/knowledge/retrieve')) return json({ code: 200, data: hits })
    return new URL(url, server.url).pathname.endsWith('.png')
      ? { headers: { 'content-type': 'image/png' }, body: image }
      : json({ voice_list: [] })
  })
  lectern = await testApp({ keychain })
  const account = await lectern.call('accounts.create', {
    preset: 'custom',
    name: 'Scripted',
    baseUrl: server.url,
  })
  accountId = account.id
  await lectern.call('accounts.setKey', { id: accountId, key: 'key-of-the-account' })
})
afterEach(async () => {
  await lectern.remove()
  await server.close()
})

const fetched = () => server.requests.filter(({ url }) => /\.png(\?|$)/.test(url)).length
const lists = () => server.requests.filter(({ url }) => url.includes('/image_list/')).length

test('saves chunks with their image, downloaded once, and opens them offline after a restart', async () => {
  const ids = { requestId: 'request-1', nodeId: 'node-1', accountId }
  const { id } = await lectern.call('slices.request', ids)
  const saved = await eventually(async () => {
    const positionRequest = await lectern.call('slices.get', { id })
    if (positionRequest.images[0]?.state !== 'kept') throw new Error('it is fetched')
    return positionRequest
  })
  expect(saved).toMatchObject({
    state: 'done',
    slices: 2,
    documents: ['Report.pdf', 'Prices.xlsx'],
    hasOldDocument: true,
    data: data(),
  })
  await server.close()
  await lectern.stop()
  lectern = await testApp({ home: lectern.home, keychain })
  const again = await lectern.call('slices.get', { id })
  expect(again).toEqual(saved)
  const { reply } = await lectern.call('slices.raw', { id })
  expect(JSON.parse(reply?.body ?? '')).toMatchObject({ data: data() })
  const media = await lectern.app.fetch(
    new Request(`http://127.0.0.1/media/${again.images[0]?.mediaId}`),
    lectern.page,
  )
  expect(media.headers.get('content-type')).toBe('image/png')
  // A request without a service reports the reason, and saved data stays.
  expect(await lectern.raw('slices.request', ids)).toMatchObject({ ok: false })
  const still = await lectern.call('slices.get', { id })
  expect([still.state, still.slices, still.error?.code]).toEqual(['done', 2, 'OFFLINE'])
  expect(fetched()).toBe(1)
})

test('restores a removed request, and reuses the one with the same IDs', async () => {
  const ids = { requestId: 'request-1', nodeId: 'node-1', accountId }
  const { id } = await lectern.call('slices.request', ids)
  const listed = async () =>
    (await lectern.call('slices.list', {})).positionRequests.map((one) => one.id)
  await lectern.call('slices.remove', { ids: [id] })
  expect(await listed()).toEqual([])
  await lectern.call('slices.restore', { ids: [id] })
  expect(await listed()).toEqual([id])
  expect((await lectern.call('slices.request', ids)).id).toBe(id)
})

test('lists chunks that a chat requested, except those of a temporary chat', async () => {
  const baseId = await makeBase(lectern)
  const slicesOf = async (temporary: boolean) => {
    const { id } = await lectern.call('chats.create', {
      settings: { ...agent, knowledgeIds: [baseId] },
      temporary,
    })
    const { answer } = await lectern.call('chats.ask', {
      id,
      text: 'What does the night train cost?',
      streamId: streamId(),
    })
    const message = await eventually(async () => {
      const now = await lectern.call('chats.message', { id: answer?.id ?? '' })
      if (now.state === 'running') throw new Error('it runs')
      return now
    })
    const call = message.steps.find(
      (step) => step.kind === 'call' && JSON.stringify(step.result).includes('89 euro'),
    )
    const request = {
      messageId: message.id,
      requestId: message.serviceMessageId ?? '',
      nodeId: call?.kind === 'call' ? call.callId : '',
    }
    await lectern.call('chats.slices', request)
    return request
  }
  const request = await slicesOf(false)
  const { positionRequests } = await lectern.call('slices.list', {})
  expect(positionRequests).toMatchObject([
    {
      requestId: request.requestId,
      nodeId: request.nodeId,
      messageId: request.messageId,
      state: 'done',
    },
  ])
  expect(positionRequests[0]?.slices).toBeGreaterThan(0)
  expect((await lectern.call('slices.ofMessage', request)).id).toBe(positionRequests[0]?.id)
  const hidden = await slicesOf(true)
  expect((await lectern.call('slices.list', {})).positionRequests).toHaveLength(1)
  expect(await lectern.raw('slices.ofMessage', hidden)).toMatchObject({
    error: { code: 'REFUSED' },
  })
})

test('lists images of found documents, downloads them once for any signature, works offline', async () => {
  const settings = { ...settingsOf('kb'), rerank: 'off' as const }
  const { id: runId } = await lectern.call('retrieval.ask', {
    question: 'Where is the figure?',
    settings,
    accountId,
  })
  const shown = () => lectern.call('retrieval.images', { runId, at: 0 })
  const saved = await eventually(async () => {
    const { images } = await shown()
    expect(images['d1']?.map(({ text, state }) => [text, state])).toEqual([
      ['【Figure_1】', 'kept'],
      ['【Figure_2】', 'kept'],
    ])
    return images
  })
  expect(Object.keys(saved)).toEqual(['d1'])
  expect([lists(), fetched()]).toEqual([1, 2])
  const request = { accountId, baseId: 'kb', id: 'd1' }
  const fresh = await lectern.call('knowledge.images', { ...request, fresh: true })
  expect(fresh.images.map(({ state }) => state)).toEqual(['kept', 'kept'])
  expect(fresh.images[0]?.url).toContain('sign=2')
  expect([lists(), fetched()]).toEqual([2, 2])
  await server.close()
  const offline = await lectern.call('knowledge.images', { ...request, fresh: true })
  expect(offline).toMatchObject({ failure: { code: 'OFFLINE' }, seenAt: fresh.seenAt })
  expect(offline.images.map(({ mediaId }) => mediaId)).toEqual(
    fresh.images.map(({ mediaId }) => mediaId),
  )
})
