import { afterAll, beforeAll, expect, test } from 'vitest'
import { failureOf, startTestService } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const ask = (authorization?: string, path = '/paas/v4/voice/list'): Promise<Response> =>
  fetch(`${service.url}${path}`, authorization === undefined ? {} : { headers: { authorization } })

test('rejects a call without a key with 1001', async () => {
  expect(await failureOf(await ask())).toBe('401 1001')
})

test('rejects a wrong, truncated or malformed key with 1000', async () => {
  for (const value of [
    'Bearer wrong',
    `Bearer ${service.key.slice(0, -1)}`,
    `Bearer ${service.key}x`,
    `Basic ${service.key}`,
    service.key,
    'Bearer',
  ])
    expect(await failureOf(await ask(value))).toBe('401 1000')
})

test('does not reveal which paths exist without the key', async () => {
  expect(await failureOf(await ask(undefined, '/paas/v4/nothing'))).toBe('401 1001')
  expect(await failureOf(await ask(undefined, '/__faults'))).toBe('401 1001')
})

test('accepts the right key and returns a unique X-Log-Id with every response', async () => {
  const first = await ask(`Bearer ${service.key}`)
  const second = await ask(`Bearer ${service.key}`)
  expect(first.status).toBe(200)
  expect(await first.json()).toMatchObject({
    voice_list: expect.any(Array),
    engine: expect.any(String),
  })
  expect(first.headers.get('x-log-id')).toBeTruthy()
  expect(first.headers.get('x-log-id')).not.toBe(second.headers.get('x-log-id'))
  expect((await ask()).headers.get('x-log-id')).toBeTruthy()
})

test('returns a 500 with 404 in its body for an unknown path or method (service-notes 1)', async () => {
  expect(await failureOf(await service.call('/paas/v4/nothing'))).toBe('500 404')
  const wrongMethod = await service.call('/paas/v4/audio/transcriptions')
  expect(await failureOf(wrongMethod)).toBe('500 404')
  expect(await failureOf(await service.call('/constructor'))).toBe('500 404')
})

test('has no fault injection endpoints unless enabled', async () => {
  for (const path of ['/__faults', '/__faults/log'])
    expect(await failureOf(await service.call(path))).toBe('500 404')
  const corrupted = await service.call('/paas/v4/voice/list', {
    headers: { 'x-fault': '{"answer":"500"}' },
  })
  expect(corrupted.status).toBe(200)
})

test('listens only on 127.0.0.1', async () => {
  expect(new URL(service.url).hostname).toBe('127.0.0.1')
  await expect(fetch(`http://[::1]:${service.port}/paas/v4/voice/list`)).rejects.toThrow(
    'fetch failed',
  )
})
