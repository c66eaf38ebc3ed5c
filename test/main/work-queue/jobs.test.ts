import { expect, onTestFinished, test, vi } from 'vitest'
import type { ErrorCode } from '../../../src/shared/contract/reply.ts'
import { AppError } from '../../../src/main/errors.ts'
import { addJobs, type Attempt } from '../../../src/main/work-queue/jobs.ts'
import { createWorkQueue } from '../../../src/main/work-queue/work-queue.ts'

interface Row {
  readonly id: string
  readonly accountId: string
  state: 'running' | 'waiting' | 'failed' | 'stopped' | 'done'
  readonly notBefore?: number
  error: ErrorCode | null
}

function setup(isEndless = false) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_800_000_000_000 })
  onTestFinished(() => void vi.useRealTimers())
  const workQueue = createWorkQueue({
    clock: Date.now,
    log: { info() {}, warn() {}, error() {} },
    random: () => 0,
    after(ms, work) {
      const timer = setTimeout(work, ms)
      return () => clearTimeout(timer)
    },
  })
  const add = () => {
    const rows: Row[] = []
    const requests = new Map<string, PromiseWithResolvers<void> & Attempt>()
    const waiting: number[] = []
    const jobs = addJobs<string>(
      { workQueue, clock: Date.now },
      {
        about: 'test',
        isEndless,
        open: () => rows.filter(({ state }) => state === 'running' || state === 'waiting'),
        async execute(id, attempt) {
          const request = { ...Promise.withResolvers<void>(), ...attempt }
          requests.set(id, request)
          attempt.signal.addEventListener('abort', () =>
            request.reject(new AppError('CANCELLED', '')),
          )
          await request.promise.finally(() => requests.delete(id))
          set(id, { state: 'done', error: null })
          return 'done'
        },
        change: (id, state, error) => set(id, { state, error: error?.code ?? null }),
        onWaiting: (count) => void waiting.push(count),
      },
    )
    const set = (id: string, patch: Partial<Row>): void => {
      const row = rows.find((one) => one.id === id)
      if (row) Object.assign(row, patch)
    }
    const stateOf = (id: string): string | undefined => rows.find((one) => one.id === id)?.state
    const begin = async (id: string): Promise<void> => {
      rows.push({ id, accountId: 'x', state: 'running', error: null })
      jobs.begin(id, 'x')
      await settle()
    }
    const fail = async (id: string, error: AppError): Promise<void> => {
      requests.get(id)?.reject(error)
      await settle()
    }
    return { rows, requests, waiting, jobs, stateOf, begin, fail }
  }
  return { one: add(), other: add() }
}

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0)
const server = (): AppError => new AppError('SERVER_ERROR', '', { retriable: true })

test('shows the reason of an account that other work has found out about, and continues', async () => {
  const { one, other } = setup()
  await other.begin('b')
  await other.fail('b', new AppError('KEY_REJECTED', ''))
  // Its own begin is a probe: the key may be another one now.
  await one.begin('a')
  await one.fail('a', new AppError('KEY_REJECTED', ''))
  one.rows.push({ id: 'c', accountId: 'x', state: 'running', error: null })
  one.jobs.kick()
  await settle()
  expect(one.rows.map(({ state, error }) => [state, error])).toEqual([
    ['waiting', 'KEY_REJECTED'],
    ['waiting', 'KEY_REJECTED'],
  ])
  expect(one.waiting.at(-1)).toBe(2)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(one.requests.size).toBe(0)
  one.jobs.wake('x')
  await settle()
  for (const request of one.requests.values()) request.resolve()
  await settle()
  for (const request of one.requests.values()) request.resolve()
  await settle()
  expect(one.rows.map(({ state }) => state)).toEqual(['done', 'done'])
  expect(one.waiting.at(-1)).toBe(0)
})

test('ends after several attempts, whatever responds; one that advances is allowed as many again', async () => {
  const { one } = setup()
  await one.begin('a')
  for (const delayMs of [2_000, 10_000, 30_000, 120_000]) {
    one.requests.get('a')?.responded()
    await one.fail('a', server())
    expect(one.stateOf('a')).toBe('waiting')
    await vi.advanceTimersByTimeAsync(delayMs + 1)
    expect(one.stateOf('a')).toBe('running')
  }
  one.requests.get('a')?.advanced()
  await one.fail('a', server())
  expect(one.stateOf('a')).toBe('waiting')
  for (let n = 0; n < 4; n++) {
    await vi.advanceTimersByTimeAsync(600_001)
    await one.fail('a', server())
  }
  expect(one.stateOf('a')).toBe('failed')
})

test('a network that returns after each failure allows no more attempts, and does not shorten their delays', async () => {
  const { one } = setup()
  await one.begin('a')
  const timeout = (): AppError =>
    new AppError('TIMEOUT', '', { retriable: true, params: { phase: 'reply' } })
  for (const delayMs of [2_000, 10_000, 30_000, 120_000]) {
    // It is reachable while the request is in flight, and afterwards.
    one.jobs.wake('x')
    await one.fail('a', timeout())
    one.jobs.wake('x')
    await vi.advanceTimersByTimeAsync(delayMs - 1)
    expect(one.requests.size).toBe(0)
    await vi.advanceTimersByTimeAsync(2)
    expect(one.requests.size).toBe(1)
  }
  await one.fail('a', timeout())
  expect(one.stateOf('a')).toBe('failed')
})

test('tries at once what waited for the network or an engine', async () => {
  const { one } = setup()
  await one.begin('a')
  for (const error of [
    new AppError('OFFLINE', '', { retriable: true, params: { reason: 'refused' } }),
    new AppError('ENGINE_UNAVAILABLE', ''),
  ]) {
    await one.fail('a', error)
    expect([one.stateOf('a'), one.requests.size]).toEqual(['waiting', 0])
    one.jobs.wake('x')
    await settle()
    expect(one.requests.size).toBe(1)
  }
})

test('an engine that was not available costs no attempts', async () => {
  const { one } = setup()
  await one.begin('a')
  for (const delayMs of [2_000, 10_000, 30_000, 120_000, 600_000]) {
    await one.fail('a', new AppError('ENGINE_UNAVAILABLE', ''))
    await vi.advanceTimersByTimeAsync(delayMs + 1)
    expect(one.requests.size).toBe(1)
  }
  await one.fail('a', server())
  expect(one.stateOf('a')).toBe('waiting')
})

test('shows the failure of a provider that fails for several jobs', async () => {
  const { one } = setup()
  for (const id of ['a', 'b', 'c']) await one.begin(id)
  for (const id of ['a', 'b', 'c']) await one.fail(id, server())
  one.rows.push({ id: 'd', accountId: 'x', state: 'running', error: null })
  one.jobs.kick()
  await settle()
  expect([one.stateOf('d'), one.rows.at(-1)?.error]).toEqual(['waiting', 'SERVER_ERROR'])
})

test('an endless job outlasts any outage, and ends by a failure that does not pass', async () => {
  const { one } = setup(true)
  await one.begin('a')
  for (let n = 0; n < 20; n++) {
    await one.fail('a', server())
    expect(one.stateOf('a')).toBe('waiting')
    await vi.advanceTimersByTimeAsync(600_001)
  }
  await one.fail('a', new AppError('BAD_REQUEST', ''))
  expect(one.stateOf('a')).toBe('failed')
})

test('stops a job before the caller stores its state, and starts it only when it is begun', async () => {
  const { one } = setup()
  await one.begin('a')
  const states: unknown[] = []
  await one.jobs.stop('a', () => states.push(one.stateOf('a'), one.requests.size))
  expect(states).toEqual(['running', 0])
  await settle()
  await one.jobs.stopAll()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(one.requests.size).toBe(0)
  one.jobs.begin('a', 'x')
  await settle()
  expect(one.requests.size).toBe(1)
})

test('keeps no place for a job that must not start yet, and starts it in time', async () => {
  const { one, other } = setup()
  one.rows.push({
    id: 'later',
    accountId: 'x',
    state: 'running',
    error: null,
    notBefore: Date.now() + 2_000,
  })
  one.jobs.begin('later', 'x')
  await other.begin('b')
  expect([one.requests.size, other.requests.size]).toEqual([0, 1])
  expect(one.jobs.busy()).toBe(false)
  await vi.advanceTimersByTimeAsync(1_999)
  expect(one.requests.size).toBe(0)
  await vi.advanceTimersByTimeAsync(2)
  expect([...one.requests.keys()]).toEqual(['later'])
})
