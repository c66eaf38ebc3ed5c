import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLimiter } from '../../../src/main/provider-client/limiter.ts'
import type { Lease } from '../../../src/main/provider-client/limiter.ts'
import type { ServiceTarget } from '../../../src/main/provider-client/types.ts'
import { apiSetup, gate } from './support.ts'

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('never exceeds the limit, and serves waiting calls in order', async () => {
  const limiter = createLimiter(() => 0)
  const order: number[] = []
  const leases: Lease[] = []
  for (let i = 0; i < 5; i++)
    void limiter.acquire('lane', 2).then((lease) => {
      order.push(i)
      leases.push(lease)
    })
  await settled()
  expect(order).toEqual([0, 1])
  expect(limiter.state('lane')).toEqual({ inFlight: 2, places: 2, waiting: 3 })
  leases[1]?.release('fine')
  leases[1]?.release('fine')
  await settled()
  expect(order).toEqual([0, 1, 2])
})

test('does not let queues wait for each other', async () => {
  const limiter = createLimiter(() => 0)
  await limiter.acquire('one', 1)
  await limiter.acquire('two', 1)
  expect(limiter.state('one').inFlight).toBe(1)
})

test('reports the time in the queue', async () => {
  let now = 1000
  const limiter = createLimiter(() => now)
  const first = await limiter.acquire('lane', 1)
  const second = limiter.acquire('lane', 1)
  now = 1250
  first.release('fine')
  expect(first.queuedMs).toBe(0)
  expect((await second).queuedMs).toBe(250)
})

test('removes a canceled call from the queue with CANCELLED', async () => {
  const limiter = createLimiter(() => 0)
  const first = await limiter.acquire('lane', 1)
  const stop = new AbortController()
  const impatient = limiter.acquire('lane', 1, stop.signal)
  const patient = limiter.acquire('lane', 1)
  stop.abort()
  await expect(impatient).rejects.toMatchObject({ code: 'CANCELLED' })
  await expect(limiter.acquire('lane', 1, stop.signal)).rejects.toMatchObject({ code: 'CANCELLED' })
  first.release('fine')
  await patient
  expect(limiter.state('lane')).toEqual({ inFlight: 1, places: 1, waiting: 0 })
})

test('applies a new size immediately, also to waiting calls', async () => {
  const limiter = createLimiter(() => 0)
  const first = await limiter.acquire('lane', 1)
  const second = limiter.acquire('lane', 1)
  const third = limiter.acquire('lane', 3)
  await Promise.all([second, third])
  expect(limiter.state('lane')).toEqual({ inFlight: 3, places: 3, waiting: 0 })
  void limiter.acquire('lane', 1)
  first.release('fine')
  await settled()
  expect(limiter.state('lane')).toEqual({ inFlight: 2, places: 1, waiting: 1 })
})

test('halves the limit on a refusal, and restores one per later success', async () => {
  let now = 0
  const limiter = createLimiter(() => now)
  const places = (): number => limiter.state('lane').places
  const call = async (outcome: 'fine' | 'limited'): Promise<void> =>
    (await limiter.acquire('lane', 8)).release(outcome)
  const holder = await limiter.acquire('lane', 8)
  now = 5000
  await call('limited')
  expect(places()).toBe(4)
  // Refused at the same moment: the same refusal.
  await call('limited')
  expect(places()).toBe(4)
  now = 7000
  await call('limited')
  expect(places()).toBe(2)
  await call('fine')
  expect(places()).toBe(2)
  now = 17_000
  await call('fine')
  await call('fine')
  expect(places()).toBe(4)
  for (let i = 0; i < 9; i++) await call('fine')
  expect(places()).toBe(8)
  holder.release('fine')
})

test('never lowers the limit below one, whatever size is requested', async () => {
  let now = 0
  const limiter = createLimiter(() => now)
  for (const size of [1, 0, -3, 0.5]) {
    now += 5000
    const lease = await limiter.acquire('lane', size)
    expect(limiter.state('lane').places).toBe(1)
    lease.release('limited')
  }
})

test('enforces the limit and leaves no free place unused in any sequence', async () => {
  const step = fc.oneof(
    fc.record({ type: fc.constant('acquire' as const), size: fc.integer({ min: 1, max: 6 }) }),
    fc.record({
      type: fc.constant('release' as const),
      which: fc.nat(20),
      outcome: fc.constantFrom('fine' as const, 'limited' as const),
    }),
    fc.record({ type: fc.constant('abort' as const), which: fc.nat(20) }),
    fc.record({ type: fc.constant('time' as const), ms: fc.nat(20_000) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      let now = 0
      const limiter = createLimiter(() => now)
      const held: Lease[] = []
      const stops: AbortController[] = []
      for (const one of steps) {
        if (one.type === 'acquire') {
          const stop = new AbortController()
          stops.push(stop)
          limiter.acquire('lane', one.size, stop.signal).then(
            (lease) => held.push(lease),
            () => {},
          )
        }
        if (one.type === 'release')
          held.splice(one.which % Math.max(1, held.length), 1)[0]?.release(one.outcome)
        if (one.type === 'abort') stops[one.which % Math.max(1, stops.length)]?.abort()
        if (one.type === 'time') now += one.ms
        await settled()
        const { inFlight, places, waiting } = limiter.state('lane')
        expect(inFlight).toBe(held.length)
        if (waiting > 0) expect(inFlight).toBeGreaterThanOrEqual(places)
      }
    }),
    { numRuns: 100 },
  )
})

test('shares the limit among calls of one account and model only', async () => {
  const { api, server, target, request, calls } = await apiSetup()
  /** Returns how many of these calls reach the server at the same time. */
  const together = async (targets: readonly ServiceTarget[], places: number): Promise<number> => {
    const { peak, pass } = gate(places, targets.length)
    server.always(async () => {
      await pass()
      return { body: '{"text":"ok"}' }
    })
    await Promise.all(targets.map((to) => api.transcriptions.create(to, request(), {})))
    return peak()
  }
  const one = target({ concurrency: 2 })
  const other = target({ concurrency: 2 }, { accountId: 'account-2' })
  expect(await together([one, one, one, one], 2)).toBe(2)
  expect(calls.filter(({ queuedMs }) => queuedMs >= 290)).toHaveLength(2)
  expect(await together([one, one, one, other, other, other], 4)).toBe(4)
})
