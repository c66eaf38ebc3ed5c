import { reactive } from 'vue'
import { expect, test } from 'vitest'
import {
  createClient,
  type BridgeState,
  type WatchedTransport,
} from '../../../../src/renderer/src/lib/bridge/client.ts'
import { createFakeTransport } from '../../fake-transport.ts'

test('sends payloads as plain data: no proxies, no absent fields', async () => {
  const main = createFakeTransport()
  const client = createClient({ open: () => Promise.resolve(main) })
  const form = reactive({ ids: ['speech'], extra: undefined })
  await client.request('library.remove', form)
  const sent = main.requests.at(-1)?.payload
  expect(() => structuredClone(sent)).not.toThrow()
  expect(sent).toEqual({ ids: ['speech'] })
})

test('answers requests made before the bridge is connected once it is', async () => {
  const main = createFakeTransport()
  let connect = (_: WatchedTransport): void => {}
  const client = createClient({ open: () => new Promise((resolve) => (connect = resolve)) })
  const pending = client.request('settings.get', {})
  connect(main)
  expect((await pending).ok).toBe(true)
})

test('returns an envelope if main is unreachable, instead of throwing', async () => {
  const client = createClient({ open: () => Promise.reject(new Error('nobody there')) })
  const states: BridgeState[] = []
  client.onBridge((state) => states.push(state))
  const reply = await client.request('settings.get', {})
  expect(reply).toMatchObject({ ok: false, error: { code: 'INTERNAL', retriable: true } })
  expect(states).toEqual(['connecting', 'closed'])
})

test('uses the media URLs from main', async () => {
  const main = createFakeTransport({ mediaBase: 'app://media/' })
  const client = createClient({ open: () => Promise.resolve(main) })
  expect(client.mediaUrl('abc')).toBe('/media/abc')
  await client.request('app.info', {})
  expect(client.mediaUrl('abc')).toBe('app://media/abc')
})

test('forwards the connection state of the bridge', async () => {
  const main = createFakeTransport()
  let notify = (_: 'open' | 'reconnecting' | 'closed' | 'signed-out'): void => {}
  const watched: WatchedTransport = {
    request: main.request,
    on: main.on,
    state: 'open',
    onState: (listener) => {
      notify = listener
      return () => {}
    },
  }
  const client = createClient({ open: () => Promise.resolve(watched) })
  const states: BridgeState[] = []
  client.onBridge((state) => states.push(state))
  let reopened = 0
  client.onReopen(() => reopened++)
  await client.request('settings.get', {})
  expect(reopened).toBe(0)
  notify('reconnecting')
  notify('open')
  notify('closed')
  expect(states).toEqual(['connecting', 'open', 'reconnecting', 'open', 'closed'])
  expect(reopened).toBe(1)
})
