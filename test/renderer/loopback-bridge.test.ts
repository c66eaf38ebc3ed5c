import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectLoopback, type LoopbackState } from '../../src/renderer/src/api/loopback-bridge.ts'

/** A socket whose other end the test plays. */
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

/** A tab that was connected and has just lost the host. */
async function lost(code = 1006): Promise<{ states: LoopbackState[] }> {
  const connecting = connectLoopback()
  Wire.made[0]?.connect()
  const transport = await connecting
  const states: LoopbackState[] = []
  transport.onState((state) => states.push(state))
  Wire.made[0]?.end(code)
  return { states }
}

test('a host that was killed is said to be gone after ten seconds, and tried on quietly', async () => {
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

test('a host that comes back late finds the page ready', async () => {
  const { states } = await lost()
  await vi.advanceTimersByTimeAsync(20_000)
  answer = () => Promise.resolve({ ok: true, status: 200 })
  await vi.advanceTimersByTimeAsync(5_000)
  Wire.made[1]?.connect()
  expect(states).toEqual(['reconnecting', 'closed', 'open'])
})

test('a short break is no farewell', async () => {
  const { states } = await lost()
  answer = () => Promise.resolve({ ok: true, status: 200 })
  await vi.advanceTimersByTimeAsync(300)
  Wire.made[1]?.connect()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(states).toEqual(['reconnecting', 'open'])
})

test('a host that does not know the tab any more ends the tries, before and after patience', async () => {
  const { states } = await lost()
  await vi.advanceTimersByTimeAsync(20_000)
  answer = () => Promise.resolve({ ok: false, status: 401 })
  await vi.advanceTimersByTimeAsync(5_000)
  const before = requestCount
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requestCount).toBe(before)
  expect(states).toEqual(['reconnecting', 'closed', 'signed-out'])
})

test('a host that says goodbye is believed at once', async () => {
  const { states } = await lost(4001)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(states).toEqual(['closed'])
  expect(requestCount).toBe(0)
})
