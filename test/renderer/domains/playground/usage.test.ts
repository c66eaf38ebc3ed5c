import { expect, test } from 'vitest'
import { lifeOf } from '../../../../src/renderer/src/domains/playground/activity/request-lifecycle.ts'
import { useActivity } from '../../../../src/renderer/src/domains/playground/activity/activity-store.ts'
import {
  dayBounds,
  daysUpTo,
  usageChart,
} from '../../../../src/renderer/src/domains/playground/activity/usage.ts'
import type { ActivityCall, UsageRow } from '../../../../src/shared/model/activity.ts'
import { calls } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'

const row = (day: string, model: string | null, totalTokens: number, count = 1): UsageRow => ({
  day,
  model,
  calls: count,
  failed: 0,
  promptTokens: 0,
  completionTokens: 0,
  totalTokens,
})

test('lists every day of a period across months and daylight saving time', () => {
  expect(daysUpTo('2026-03-01', 3)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01'])
  expect(daysUpTo('2026-03-30', 3)).toEqual(['2026-03-28', '2026-03-29', '2026-03-30'])
  const { since, until } = dayBounds('2026-03-29')
  expect(new Date(since).getDate()).toBe(29)
  expect(new Date(until).getDate()).toBe(30)
})

test('sorts models by size and groups small ones without losing any', () => {
  const days = daysUpTo('2026-03-02', 2)
  const rows = Array.from({ length: 9 }, (_, i) => row('2026-03-02', `m${i}`, 100 - i))
  const { series } = usageChart([...rows, row('2026-03-01', 'm8', 1)], days, 'tokens')
  expect(series.map((one) => (one.other ? 'other' : one.model))).toEqual([
    'm0',
    'm1',
    'm2',
    'm3',
    'm4',
    'm5',
    'other',
  ])
  expect(series.at(-1)?.values).toEqual([1, 94 + 93 + 92])
  const all = series.flatMap((one) => one.values).reduce((sum, value) => sum + value, 0)
  expect(all).toBe(rows.reduce((sum, one) => sum + one.totalTokens, 1))
  expect(usageChart([row('2026-03-02', null, 0, 5)], days, 'calls').series).toEqual([
    { model: null, other: false, values: [0, 5] },
  ])
  expect(usageChart([row('2026-03-02', null, 0, 5)], days, 'tokens').series).toEqual([])
})

const call = (more: Partial<ActivityCall>): ActivityCall => {
  const [first] = calls()
  if (!first) throw new Error('no calls')
  return { ...first, ...more }
}

test('splits the duration of a call into phases that add up, without guessing', () => {
  const parts = lifeOf(call({ queuedMs: 10, sentMs: 30, firstByteMs: 100, durationMs: 200 }))
  expect(parts.map(({ phase, ms }) => [phase, ms])).toEqual([
    ['queued', 10],
    ['connecting', 20],
    ['waiting', 100],
    ['receiving', 70],
  ])
  expect(parts.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1)
  const unsent = lifeOf(call({ queuedMs: 5, sentMs: null, firstByteMs: null, durationMs: 25 }))
  expect(unsent.map(({ phase, ms }) => [phase, ms])).toEqual([
    ['queued', 5],
    ['connecting', 20],
  ])
  const silent = lifeOf(call({ queuedMs: 0, sentMs: 5, firstByteMs: null, durationMs: 105 }))
  expect(silent.map(({ phase, ms }) => [phase, ms])).toEqual([
    ['connecting', 5],
    ['waiting', 100],
  ])
})

test('opens the calls of a bar: filters by day and model, and adds only matching new ones', async () => {
  const { main, run, settle } = rendererSetup()
  const activity = run(useActivity)
  void activity.load()
  await settle()
  void activity.setFilter({ day: '2026-03-29', model: 'rerank' })
  await settle()
  expect(main.requests.at(-1)).toMatchObject({
    route: 'activity.list',
    payload: { model: 'rerank', ...dayBounds('2026-03-29') },
  })
  const before = activity.calls.length
  const at = dayBounds('2026-03-29').since + 1
  main.app({ type: 'activity.added', call: call({ id: 9001, model: 'rerank', at }) })
  main.app({ type: 'activity.added', call: call({ id: 9002, model: 'other', at }) })
  main.app({ type: 'activity.added', call: call({ id: 9003, model: 'rerank', at: at - 10 }) })
  expect(activity.calls.length - before).toBe(1)
})

test('requests usage for the shown period and account', async () => {
  const { main, run, settle } = rendererSetup()
  main.answer('activity.usage', () => ({ today: '2026-03-29', rows: [row('2026-03-29', 'm', 5)] }))
  const activity = run(useActivity)
  void activity.setFilter({ accountId: 'a' })
  void activity.loadUsage(7)
  await settle()
  expect(main.requests.at(-1)).toMatchObject({
    route: 'activity.usage',
    payload: { days: 7, accountId: 'a' },
  })
  expect(activity.usage).toMatchObject({ days: 7, today: '2026-03-29' })
})
