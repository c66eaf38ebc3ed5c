import { EventEmitter } from 'node:events'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  type PortRequest,
  channels,
  type PreloadTransport,
} from '../../../../src/shared/contract/transport.ts'

const exposed = new Map<string, unknown>()
const sent: string[] = []
const paths = new WeakMap<object, string>()
const ipcRenderer = Object.assign(new EventEmitter(), {
  send: (channel: string) => void sent.push(channel),
})
vi.mock('electron', () => ({
  contextBridge: { exposeInMainWorld: (name: string, value: unknown) => exposed.set(name, value) },
  ipcRenderer,
  webUtils: { getPathForFile: (file: object) => paths.get(file) ?? '' },
}))

let bridge: PreloadTransport
let core: MessagePort
const requests: PortRequest[] = []
const last = (): PortRequest | undefined => requests.at(-1)
const lastId = (): number => {
  const message = last()
  return message && 'id' in message ? message.id : -1
}

beforeAll(async () => {
  vi.useFakeTimers()
  await import('../../../../src/preload/index.ts')
  vi.useRealTimers()
  bridge = exposed.get('lectern') as PreloadTransport
})
/** Gives the page a port like main does, and records its messages. */
const openPort = (): void => {
  const { port1, port2 } = new MessageChannel()
  core = port1
  core.on('message', (message: PortRequest) => void requests.push(message))
  core.unref()
  ipcRenderer.emit(channels.port, { ports: [port2] })
}
beforeEach(() => {
  requests.length = 0
})

test('exposes one object of four functions, and requests a port from main at once', () => {
  expect([...exposed.keys()]).toEqual(['lectern'])
  expect(Object.keys(bridge).toSorted()).toEqual(['on', 'onState', 'request', 'takeFile'])
  expect(Object.values(bridge).every((part) => typeof part === 'function')).toBe(true)
  expect(sent).toEqual([channels.connect])
})

test('sends requests made before the port is received once it is', async () => {
  const reply = bridge.request('app.info', { a: 1 })
  openPort()
  await expect.poll(last).toMatchObject({ t: 'req', route: 'app.info', payload: { a: 1 } })
  core.postMessage({ t: 'res', id: lastId(), reply: { ok: true, data: 7 } })
  expect(await reply).toEqual({ ok: true, data: 7 })
})

test('returns a failure instead of throwing for values that cannot be cloned', async () => {
  expect(await bridge.request('app.info', () => {})).toMatchObject({
    ok: false,
    error: { code: 'INTERNAL', retriable: false },
  })
})

test('forwards events of core and host until unsubscribed', async () => {
  const received: unknown[][] = []
  const stop = bridge.on((...args: unknown[]) => void received.push(args))
  const pushed = { channel: 'app', event: { type: 'settings.changed', settings: null } }
  ipcRenderer.emit(channels.push, { sender: 'the way to everything' }, pushed, 'more')
  core.postMessage({ t: 'push', event: pushed })
  await expect.poll(() => received).toEqual([[pushed], [pushed]])
  stop()
  ipcRenderer.emit(channels.push, {}, pushed)
  expect(received).toHaveLength(2)
})

test('sends a file on disk by its path, which the page never sees', async () => {
  const file = new File(['sound'], 'talk.wav')
  paths.set(file, '/music/talk.wav')
  const fractions: number[] = []
  const { done } = bridge.takeFile(file, 'intake', (fraction) => void fractions.push(fraction))
  await expect.poll(last).toMatchObject({
    t: 'file',
    target: 'intake',
    name: 'talk.wav',
    size: 5,
    path: '/music/talk.wav',
  })
  core.postMessage({ t: 'progress', id: lastId(), bytes: 5 })
  core.postMessage({ t: 'res', id: lastId(), reply: { ok: true, data: {} } })
  expect(await done).toEqual({ ok: true, data: {} })
  expect(fractions).toEqual([1])
})

test('sends a file created by the page in chunks, on request', async () => {
  const file = new File([new Uint8Array(5 * 1024 * 1024)], 'made.bin')
  const { done, stop } = bridge.takeFile(file, 'archive', () => {})
  await expect.poll(last).toMatchObject({ t: 'file', target: 'archive', path: null })
  const id = lastId()
  const sizes: (number | null)[] = []
  for (let requested = 0; requested < 3; requested++) {
    core.postMessage({ t: 'more', id })
    await expect.poll(() => requests.filter(({ t }) => t === 'piece')).toHaveLength(requested + 1)
    const chunk = last()
    if (chunk?.t === 'piece') sizes.push(chunk.bytes?.byteLength ?? null)
  }
  expect(sizes).toEqual([4 * 1024 * 1024, 1024 * 1024, null])
  stop()
  await expect.poll(last).toEqual({ t: 'cancel', id })
  core.postMessage({ t: 'res', id, reply: { ok: false, error: { code: 'CANCELLED' } } })
  expect(await done).toMatchObject({ ok: false })
})

test('reports a file that changes while it is read in chunks as unreadable', async () => {
  const file = new File(['notes'], 'notes.txt')
  const read = (): Promise<never> => Promise.reject(new DOMException('', 'NotReadableError'))
  file.slice = () => Object.assign(new Blob([]), { arrayBuffer: read })
  bridge.takeFile(file, 'intake', () => {})
  await expect.poll(last).toMatchObject({ t: 'file', path: null })
  const lastRequest = last()
  const id = lastRequest && 'id' in lastRequest ? lastRequest.id : null
  core.postMessage({ t: 'more', id })
  await expect.poll(last).toEqual({ t: 'unreadable', id })
})

test('fails requests when the core ends, and reloads the page once another one is available', async () => {
  const states: string[] = []
  const received: unknown[] = []
  bridge.onState((state) => void states.push(state))
  bridge.on((event) => void received.push(event))
  const reply = bridge.request('app.info', {})
  ipcRenderer.emit(channels.lost, {})
  expect(await reply).toMatchObject({ ok: false, error: { code: 'INTERNAL', retriable: true } })
  const before = sent.length
  ipcRenderer.emit(channels.back, {})
  expect(sent.length).toBe(before + 1)
  openPort()
  expect(states).toEqual(['reconnecting', 'open'])
  expect(received).toHaveLength(3)
})

test('confirms received events, and reloads when it missed some', async () => {
  openPort()
  const pushed = { channel: 'app', event: { type: 'accounts.changed' } }
  core.postMessage({ t: 'push', event: pushed })
  core.postMessage({ t: 'push', event: pushed, confirm: 3 })
  await expect.poll(last).toEqual({ t: 'confirm', mark: 3 })
  const states: string[] = []
  const received: unknown[] = []
  const reply = bridge.request('app.info', {})
  await expect.poll(last).toMatchObject({ t: 'req' })
  bridge.onState((state) => void states.push(state))
  bridge.on((event) => void received.push(event))
  core.postMessage({ t: 'missed' })
  await expect.poll(() => states).toEqual(['reconnecting', 'open'])
  expect(received).toContainEqual({
    channel: 'app',
    event: { type: 'settings.changed', settings: null },
  })
  // Pending requests continue.
  core.postMessage({ t: 'res', id: lastId(), reply: { ok: true, data: 7 } })
  expect(await reply).toEqual({ ok: true, data: 7 })
})
