import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '../../fixtures/app.ts'
import { startScriptedServer, type ScriptedServer } from '../../fixtures/scripted-server.ts'

let app: TestApp
let server: ScriptedServer
let accountId = ''
beforeAll(async () => {
  ;[app, server] = await Promise.all([testApp(), startScriptedServer()])
  server.always({
    headers: { 'content-type': 'application/json' },
    body: '{"code":200,"data":{"document_slices":[]}}',
  })
  const account = { preset: 'custom', name: 'Mine', baseUrl: server.url } as const
  accountId = (await app.call('accounts.create', account)).id
  await app.call('accounts.setKey', { id: accountId, key: 'key-of-the-account' })
})
afterAll(async () => {
  await app.remove()
  await server.close()
})

test('finds saved chunks by words of their IDs beyond the first page of the list', async () => {
  const ask = (n: number) =>
    app.call('slices.request', { requestId: `request-${n}`, nodeId: `node-${n}`, accountId })
  for (let n = 0; n < 105; n++) await ask(n)
  const first = await app.call('slices.list', {})
  expect(first.positionRequests.map((one) => one.requestId)).not.toContain('request-3')
  const found = async (query: string) =>
    (await app.call('slices.list', { query })).positionRequests.map((one) => one.requestId)
  expect(await found('REQUEST-3 node-3')).toEqual([
    ...Array.from({ length: 10 }, (_, n) => `request-${39 - n}`),
    'request-3',
  ])
  expect(await found('request%')).toEqual([])
  const page = await app.call('slices.list', { query: 'request-10', limit: 2 })
  expect(page.positionRequests.map((one) => one.requestId)).toEqual(['request-104', 'request-103'])
  const rest = await app.call('slices.list', { query: 'request-10', before: page.next ?? '' })
  expect(rest.positionRequests.map((one) => one.requestId).at(-1)).toBe('request-10')
})
