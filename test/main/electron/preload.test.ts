import { EventEmitter } from 'node:events'
import { beforeAll, expect, test, vi } from 'vitest'
import { channels, type Transport } from '../../../src/shared/bridge/transport.ts'

const exposed = new Map<string, unknown>()
const invoked: unknown[][] = []
const ipcRenderer = Object.assign(new EventEmitter(), {
  invoke: async (...args: unknown[]) => {
    invoked.push(args)
    return { ok: true, data: 1 }
  },
})
vi.mock('electron', () => ({
  contextBridge: { exposeInMainWorld: (name: string, value: unknown) => exposed.set(name, value) },
  ipcRenderer,
}))

let bridge: Transport
beforeAll(async () => {
  await import('../../../src/preload/index.ts')
  bridge = exposed.get('lectern') as Transport
})

test('exposes one object of two functions', () => {
  expect([...exposed.keys()]).toEqual(['lectern'])
  expect(Object.keys(bridge).toSorted()).toEqual(['on', 'request'])
  expect(Object.values(bridge).every((part) => typeof part === 'function')).toBe(true)
})

test('asks on one channel, whatever the route is called', async () => {
  expect(await bridge.request('app.info', {})).toEqual({ ok: true, data: 1 })
  await bridge.request('lectern:push', { a: 1 })
  expect(invoked).toEqual([
    [channels.request, 'app.info', {}],
    [channels.request, 'lectern:push', { a: 1 }],
  ])
})

test('hands over what was pushed and never the event object, until unsubscribed', () => {
  const heard: unknown[][] = []
  const stop = bridge.on((...args: unknown[]) => void heard.push(args))
  const pushed = { channel: 'app', event: { type: 'settings.changed' } }
  ipcRenderer.emit(channels.push, { sender: 'the way to everything' }, pushed, 'more')
  expect(heard).toEqual([[pushed]])
  stop()
  ipcRenderer.emit(channels.push, {}, pushed)
  expect(heard).toHaveLength(1)
  expect(ipcRenderer.listenerCount(channels.push)).toBe(0)
})
