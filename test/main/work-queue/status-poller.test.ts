import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../../src/main/errors.ts'
import { createStatusPoller } from '../../../src/main/work-queue/status-poller.ts'
import type { Failure } from '../../../src/shared/contract/reply.ts'
import { memoryLog } from '../platform/database/fixture.ts'
import { observedQueue, type PlannedWork } from './observed-queue.ts'

/** A row that is polled, as the stores of tasks and saved responses have it. */
interface Row {
  readonly id: string
  readonly accountId: string
  readonly attempts: number
  readonly failures: number
  readonly intervalMs: number
  readonly nextPollAt: number | null
  readonly createdAt: number
  readonly state: 'processing' | 'waiting' | 'refused' | 'over'
  readonly error: Failure | null
}

/** Polls rows in memory; the test decides what a request returns, and moves the clock. */
function setup(ask: (row: Row, signal: AbortSignal) => Promise<void> | void) {
  const at = { now: Date.UTC(2026, 0, 1), ask, asked: [] as string[] }
  const rows = new Map<string, Row>()
  const timers: PlannedWork[] = []
  const queue = observedQueue(() => at.now, memoryLog(), timers)
  const poller = createStatusPoller<Row, Partial<Row>>({
    about: 'thing',
    log: memoryLog(),
    clock: () => at.now,
    workQueue: queue.workQueue,
    random: () => 0.5,
    rows: {
      get: (id) => rows.get(id),
      update(id, patch) {
        const row = rows.get(id)
        if (!row) return undefined
        rows.set(id, { ...row, ...patch })
        return rows.get(id)
      },
    },
    transaction: (work) => work(),
    async ask(row, signal) {
      at.asked.push(row.id)
      await at.ask(row, signal)
      await poller.settle(row.id, (now) =>
        now.state === 'over'
          ? undefined
          : {
              state: 'processing',
              error: null,
              attempts: now.attempts + 1,
              failures: 0,
              ...poller.planned(now),
            },
      )
    },
    failed: (row, failed) => (row.state === 'over' ? undefined : failed),
    onChange: () => undefined,
  })
  onTestFinished(() => poller.close())
  return Object.assign(at, {
    poller,
    rows,
    timers,
    tick: () => queue.tick((moved) => (at.now = moved)),
    add(id: string, accountId = 'a', state: Row['state'] = 'processing'): void {
      const none = { attempts: 0, failures: 0, intervalMs: 0, nextPollAt: null, error: null }
      rows.set(id, { id, accountId, state, createdAt: at.now, ...none })
      if (state !== 'over') poller.schedule(id, 0)
    },
    states: () => [...rows.values()].map(({ id, state, error }) => [id, state, error?.code]),
  })
}
const noKey = (): never => {
  throw new AppError('NO_KEY', 'No key')
}

test('one poll probes an account that is rejected, and the other rows say what they wait for', async () => {
  const at = setup(noKey)
  for (const id of ['t1', 't2', 't3']) at.add(id)
  at.add('elsewhere', 'b')
  await at.tick()
  await at.tick().catch(() => undefined)
  expect(at.states().slice(0, 3)).toEqual([
    ['t1', 'waiting', 'NO_KEY'],
    ['t2', 'waiting', 'NO_KEY'],
    ['t3', 'waiting', 'NO_KEY'],
  ])
  // Only the user can repair it: nothing is planned, and nothing was sent twice.
  expect(at.timers).toEqual([])
  const sent = at.asked.length
  at.ask = () => undefined
  expect(await at.poller.poll('t2')).toEqual({ error: null })
  await setImmediate()
  await at.tick().catch(() => undefined)
  expect(
    at
      .states()
      .slice(0, 3)
      .map(([, state]) => state),
  ).toEqual(Array(3).fill('processing'))
  expect(at.asked.length).toBeGreaterThan(sent)
})

test('answers the user with the reason if nothing can be sent, and never polls what is over again', async () => {
  const at = setup(noKey)
  at.add('t1')
  await at.tick()
  at.add('done', 'a', 'over')
  const { error } = await at.poller.poll('done')
  expect(error?.code).toBe('NO_KEY')
  const both = await Promise.all([at.poller.poll('t1'), at.poller.poll('done')])
  expect(both.map((end) => end.error?.code)).toEqual(['NO_KEY', 'NO_KEY'])
  expect(at.rows.get('done')).toMatchObject({ state: 'over', error: null })
  at.ask = () => undefined
  const sent = at.asked.filter((id) => id === 'done').length
  await at.poller.poll('t1')
  await setImmediate()
  expect(at.asked.filter((id) => id === 'done')).toHaveLength(sent)
})

test('a rate limit delays every poll of the account, and is reported to the user who asks', async () => {
  const at = setup(() => {
    throw new AppError('RATE_LIMITED', 'Slow down', { retriable: true, retryAfterMs: 60_000 })
  })
  at.add('t1')
  await at.tick()
  expect(at.rows.get('t1')).toMatchObject({ state: 'processing', error: { code: 'RATE_LIMITED' } })
  at.add('t2')
  expect((await at.poller.poll('t2')).error?.code).toBe('RATE_LIMITED')
  expect(at.asked).toEqual(['t1'])
  at.ask = () => undefined
  expect(await at.tick()).toBeGreaterThanOrEqual(60_000)
  expect(at.rows.get('t2')).toMatchObject({ state: 'processing', error: null, attempts: 1 })
})

test('polls that the user asked for go first, and a dropped row is not polled', async () => {
  const releases: (() => void)[] = []
  const at = setup(() => new Promise<void>((resolve) => void releases.push(resolve)))
  for (let n = 0; n < 10; n++) at.add(`t${n}`)
  await setImmediate()
  expect(at.asked).toHaveLength(8)
  const last = at.poller.poll('t9')
  const dropped = at.poller.poll('t8')
  await at.poller.drop('t8')
  expect(await dropped).toEqual({ error: null })
  at.ask = () => undefined
  for (const release of releases) release()
  expect(await last).toEqual({ error: null })
  expect(at.asked.slice(8)).toEqual(['t9'])
})

test('closing answers everyone who waits', async () => {
  const at = setup(
    (_, signal) =>
      new Promise<void>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      }),
  )
  at.add('t1')
  const end = at.poller.poll('t1')
  await setImmediate()
  await at.poller.close()
  expect((await end).error?.code).toBe('CANCELLED')
  expect(await at.poller.poll('t1')).toEqual({ error: null })
})
