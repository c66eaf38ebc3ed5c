import { nextTick, ref, shallowRef } from 'vue'
import { expect, test, vi } from 'vitest'
import { useActivity } from '../../../src/renderer/src/domains/playground/activity/activity-store.ts'
import {
  matchActions,
  useChoice,
  type PaletteAction,
  type PaletteEntry,
} from '../../../src/renderer/src/shell/palette/palette.ts'
import { useSearch } from '../../../src/renderer/src/domains/library/search/use-search.ts'
import {
  dayGroup,
  formatBytes,
  formatMs,
  formatSeconds,
} from '../../../src/renderer/src/i18n/format.ts'
import { formatClock } from '../../../src/shared/text/clock.ts'
import { rowAt, rowTops, rowWindow } from '../../../src/renderer/src/kit/measured-rows.ts'
import { calls, now } from '../fake-data.ts'
import { rendererSetup } from '../stores.ts'

test('loads Activity in pages and adds new calls at the top, within its filter', async () => {
  const { main, run, settle } = rendererSetup()
  const activity = run(useActivity)
  void activity.load()
  await settle()
  expect(activity.calls.length).toBe(100)
  void activity.more()
  await settle()
  expect(activity.calls.length).toBe(200)
  const [model] = calls()
  if (!model) throw new Error('no fixture')
  main.app({ type: 'activity.added', call: { ...model, id: 999 } })
  expect(activity.calls[0]?.id).toBe(999)
  void activity.setFilter({ outcome: 'failed' })
  await settle()
  expect(activity.calls.every(({ outcome }) => outcome === 'failed')).toBe(true)
  main.app({ type: 'activity.added', call: { ...model, id: 1000, outcome: 'ok' } })
  expect(activity.calls.some(({ id }) => id === 1000)).toBe(false)
})

test('shows the result of the latest search, whatever arrives first', async () => {
  vi.useFakeTimers()
  const { main, run, client } = rendererSetup()
  await client.request('app.info', {})
  const waiting: (() => void)[] = []
  const answers = { ...main }
  main.request = (route, payload) =>
    route === 'library.search'
      ? new Promise((resolve) => waiting.push(() => resolve(answers.request(route, payload))))
      : answers.request(route, payload)
  const query = ref('speech')
  const search = run(() => useSearch(query))
  await vi.advanceTimersByTimeAsync(100)
  query.value = 'country'
  await vi.advanceTimersByTimeAsync(100)
  expect(waiting.length).toBe(2)
  waiting[1]?.()
  await vi.advanceTimersByTimeAsync(1)
  waiting[0]?.()
  await vi.advanceTimersByTimeAsync(1)
  expect(search.reply.value?.hits[0]?.snippet).toContain('country')
  query.value = '  '
  await vi.advanceTimersByTimeAsync(100)
  expect(search.reply.value).toBeNull()
  vi.useRealTimers()
})

test('searches when typing pauses, not at every keystroke', async () => {
  vi.useFakeTimers()
  const { main, run } = rendererSetup()
  const query = ref('')
  const search = run(() => useSearch(query))
  for (const text of ['c', 'co', 'cou', 'coun']) {
    query.value = text
    await vi.advanceTimersByTimeAsync(20)
    expect(search.pending.value).toBe(true)
  }
  await vi.advanceTimersByTimeAsync(200)
  expect(main.requests.filter(({ route }) => route === 'library.search').length).toBe(1)
  expect(search.pending.value).toBe(false)
  vi.useRealTimers()
})

const action = (label: string): PaletteAction => ({
  key: label,
  kind: 'action',
  label,
  shortcut: '',
  run: () => {},
})

/** The selection of a palette with these entries, and the keys of those that were opened. */
function choice(from: readonly PaletteEntry[]) {
  const entries = shallowRef(from)
  const [query, pending] = [ref(''), ref(false)]
  const opened: string[] = []
  const made = useChoice(entries, { query, pending, open: ({ key }) => void opened.push(key) })
  return { ...made, entries, query, pending, opened }
}

test('matches palette actions by any of their words and wraps the selection', () => {
  const actions = [action('Go to Library'), action('Open Settings'), action('Theme: dark')]
  expect(matchActions(actions, 'open set').map(({ label }) => label)).toEqual(['Open Settings'])
  expect(matchActions(actions, '').length).toBe(3)
  const { chosen, move } = choice(actions)
  move(-1)
  expect(chosen.value?.key).toBe('Theme: dark')
  move(1)
  expect(chosen.value?.key).toBe('Go to Library')
})

test('opens the first result with Enter, even if it was pressed before the results arrived', async () => {
  const palette = choice([])
  palette.query.value = 'quarter'
  palette.pending.value = true
  await nextTick()
  palette.enter()
  expect(palette.opened).toEqual([])
  palette.entries.value = [action('first'), action('second')]
  palette.pending.value = false
  await nextTick()
  expect(palette.opened).toEqual(['first'])
  // Whoever types on or moves the selection means something else.
  for (const change of [() => (palette.query.value = 'quarters'), () => palette.move(1)]) {
    palette.entries.value = []
    palette.pending.value = true
    await nextTick()
    palette.enter()
    change()
    await nextTick()
    palette.entries.value = [action('first')]
    palette.pending.value = false
    await nextTick()
  }
  expect(palette.opened).toEqual(['first'])
})

test('runs an action at once, and never opens a result of earlier words', async () => {
  const palette = choice([action('Settings')])
  palette.pending.value = true
  await nextTick()
  palette.enter()
  expect(palette.opened).toEqual(['Settings'])
  const earlier = { key: 'earlier', kind: 'hit' } as PaletteEntry
  palette.entries.value = [earlier]
  await nextTick()
  palette.enter()
  expect(palette.opened).toEqual(['Settings'])
})

test('keeps the selected row when more results arrive', async () => {
  const palette = choice([action('first'), action('second')])
  palette.move(1)
  palette.entries.value = [action('new'), action('first'), action('second'), action('last')]
  await nextTick()
  expect(palette.chosen.value?.key).toBe('second')
  palette.query.value = 'other'
  await nextTick()
  expect(palette.chosen.value?.key).toBe('new')
})

test('renders only rows in view, however many there are', () => {
  const tops = rowTops(Array.from({ length: 100_000 }, (_, index) => (index % 10 === 0 ? 32 : 56)))
  const { from, to } = rowWindow(tops, 2_000_000, 800)
  expect(to - from).toBeLessThan(30)
  expect(tops[from] ?? 0).toBeLessThanOrEqual(2_000_000)
  expect(tops[to] ?? 0).toBeGreaterThanOrEqual(2_000_800)
  expect(rowAt(tops, 0)).toBe(0)
  expect(rowWindow(rowTops([]), 0, 800)).toEqual({ from: 0, to: 0 })
})

test('formats numbers for users', () => {
  expect(formatBytes(26_214_400, 'en')).toBe('25 MB')
  expect(formatBytes(999, 'en')).toBe('999 B')
  expect(formatClock(3723.9)).toBe('1:02:03')
  expect(formatClock(11)).toBe('0:11')
  expect(formatMs(85.4, 'en')).toBe('85 ms')
  expect(formatMs(2000, 'en')).toBe('2.0 s')
  expect(formatSeconds(31, 'en')).toBe('31 s')
  expect(formatSeconds(31.25, 'zh-CN')).toBe('31.3 秒')
  expect(formatSeconds(245, 'zh-CN')).toBe('4:05')
})

test('separates days by calendar, even across a clock change', () => {
  const at = (text: string): number => new Date(text).getTime()
  const noon = at('2026-03-30T12:00:00')
  expect(dayGroup(at('2026-03-30T00:00:00'), noon, 'en').kind).toBe('today')
  expect(dayGroup(at('2026-03-29T00:00:00'), noon, 'en').kind).toBe('yesterday')
  expect(dayGroup(at('2026-03-24T00:00:00'), noon, 'en').kind).toBe('week')
  expect(dayGroup(at('2026-03-23T23:59:00'), noon, 'en')).toEqual({
    kind: 'month',
    label: 'March 2026',
  })
  expect(dayGroup(now, now, 'en').kind).toBe('today')
})
