import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  connectLoopback,
  type LoopbackState,
} from '../../../../src/renderer/src/lib/bridge/loopback-bridge.ts'

/** A socket whose other end is simulated by the test. */
class Wire extends EventTarget {
  static readonly OPEN = 1
  static readonly made: Wire[] = []
  readonly readyState = Wire.OPEN
  binaryType = 'blob'
  constructor() {
    super()
    Wire.made.push(this)
  }
  connect(): void {
    this.dispatchEvent(new Event('open'))
  }
  end(code: number): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code }))
  }
}

let answer: () => Promise<{ ok: boolean; status: number }>
let requestCount: number
const gone = () => Promise.reject(new Error('refused'))

beforeEach(() => {
  vi.useFakeTimers()
  Wire.made.length = 0
  requestCount = 0
  answer = gone
  vi.stubGlobal('WebSocket', Wire)
  vi.stubGlobal('location', { origin: 'http://127.0.0.1:4000' })
  vi.stubGlobal('sessionStorage', { getItem: () => 'k'.repeat(43) })
  vi.stubGlobal('fetch', () => {
    requestCount += 1
    return answer()
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Returns a tab that was connected and has just lost the host. */
async function lost(code = 1006): Promise<{ states: LoopbackState[] }> {
  const connecting = connectLoopback()
  Wire.made[0]?.connect()
  const transport = await connecting
  const states: LoopbackState[] = []
  transport.onState((state) => states.push(state))
  Wire.made[0]?.end(code)
  return { states }
}

test('reports a killed host after ten seconds and keeps retrying in the background', async () => {
  const { states } = await lost()
  await vi.advanceTimersByTimeAsync(9_000)
  expect(states).toEqual(['reconnecting'])
  await vi.advanceTimersByTimeAsync(2_000)
  expect(states).toEqual(['reconnecting', 'closed'])
  const before = requestCount
  await vi.advanceTimersByTimeAsync(30_000)
  expect(requestCount).toBeGreaterThan(before)
  expect(states).toEqual(['reconnecting', 'closed'])
})

test('recovers when the host returns late', async () => {
  const { states } = await lost()
  await vi.advanceTimersByTimeAsync(20_000)
  answer = () => Promise.resolve({ ok: true, status: 200 })
  await vi.advanceTimersByTimeAsync(5_000)
  Wire.made[1]?.connect()
  expect(states).toEqual(['reconnecting', 'closed', 'open'])
})

test('reconnects after a short interruption', async () => {
  const { states } = await lost()
  answer = () => Promise.resolve({ ok: true, status: 200 })
  await vi.advanceTimersByTimeAsync(300)
  Wire.made[1]?.connect()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(states).toEqual(['reconnecting', 'open'])
})

test('stops retrying when the host no longer knows the tab, before and after the timeout', async () => {
  const { states } = await lost()
  await vi.advanceTimersByTimeAsync(20_000)
  answer = () => Promise.resolve({ ok: false, status: 401 })
  await vi.advanceTimersByTimeAsync(5_000)
  const before = requestCount
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requestCount).toBe(before)
  expect(states).toEqual(['reconnecting', 'closed', 'signed-out'])
})

test('closes immediately when the host ends the connection', async () => {
  const { states } = await lost(4001)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(states).toEqual(['closed'])
  expect(requestCount).toBe(0)
})
