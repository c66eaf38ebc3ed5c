import { expect, test } from 'vitest'
import { effectScope, ref } from 'vue'
import {
  engineChanges,
  heldUp,
  outOfReach,
  newestRows,
  rowsOf,
  useLiveLines,
} from '../../../../../src/renderer/src/domains/audio/recorder/live-lines.ts'
import { failure } from '../../../fake-data.ts'
import { useShell } from '../../../../../src/renderer/src/lib/app-store.ts'
import { rendererSetup } from '../../../stores.ts'
import { lineOf, meetingOf, segmentOf } from '../meetings/side-data.ts'

test('renders the newest lines after hours, in order, with pending segments', () => {
  const segments = Array.from({ length: 3000 }, (_, at) => segmentOf(`s${at}`, at * 10_000))
  const lines = segments.map((segment, at) => lineOf(`l${at}`, segment, `Line ${at}`))
  const waiting = {
    ...segmentOf('next', 3000 * 10_000),
    state: 'pending' as const,
    versionId: null,
  }
  const rows = rowsOf(lines.toReversed(), [...segments, waiting], new Map([['next', 'and so']]))
  expect(rows).toHaveLength(newestRows)
  expect(rows.at(-1)).toMatchObject({ kind: 'segment', key: 'next', text: 'and so' })
  expect(rows.at(-2)?.key).toBe('l2999')
  expect(rows[0]?.key).toBe(`l${3001 - newestRows}`)
})

test('shows bookmarks between the lines before and after them', () => {
  const lines = [
    lineOf('l1', segmentOf('s1', 0), 'One'),
    lineOf('l2', segmentOf('s2', 10_000), 'Two'),
  ]
  const rows = rowsOf(lines, [], new Map(), [{ id: 'm', atMs: 4000, label: '' }])
  expect(rows.map(({ kind, key }) => [kind, key])).toEqual([
    ['line', 'l1'],
    ['bookmark', 'm'],
    ['line', 'l2'],
  ])
})

test('shows speech that has not ended after the lines before it', () => {
  const segment = segmentOf('s1', 0)
  const preview = { channel: 1, startMs: 5000, text: 'And so' }
  const rows = rowsOf([lineOf('l1', segment, 'One')], [segment], new Map(), [], [preview])
  expect(rows.at(-1)).toEqual({ kind: 'preview', key: 'preview 1', ...preview })
  expect(engineChanges(rows)).toEqual(new Set(['l1']))
})

test('names the engine only where it changes', () => {
  const lines = ['a', 'a', 'b', 'b', 'a'].map((model, at) => ({
    ...lineOf(`l${at}`, segmentOf(`s${at}`, at * 10_000), `Line ${at}`),
    model,
  }))
  expect([...engineChanges(rowsOf(lines, [], new Map()))]).toEqual(['l0', 'l2', 'l4'])
})

test('queues segments behind one that cannot reach the provider, none while it responds', () => {
  const pending = (id: string, at: number) => ({
    ...segmentOf(id, at),
    state: 'pending' as const,
    versionId: null,
    error: null,
  })
  const tried = { ...pending('tried', 0), error: failure('OFFLINE') }
  const proposal = { ...pending('proposal', 20_000), versionId: 'r1' }
  const rest = [segmentOf('done', 10_000), proposal, pending('next', 30_000)]
  expect(heldUp(rest)).toEqual([])
  expect(heldUp([tried, ...rest]).map(({ id }) => id)).toEqual(['tried', 'next'])
  expect(heldUp(rest, true).map(({ id }) => id)).toEqual(['next'])
})

test('reports an unreachable account before it is used, without blaming another one', () => {
  const connection = {
    accountId: 'office',
    accountName: 'Office',
    preset: 'custom',
    state: 'offline',
    waiting: 1,
    since: 0,
  } as const
  expect(outOfReach(connection, 'office')?.state).toBe('offline')
  expect(outOfReach(connection, 'this-computer')).toBeNull()
  expect(outOfReach({ ...connection, state: 'unknown' }, 'office')).toBeNull()
})

test('reports an unreachable account of a recording before anything was said', async () => {
  const { main, run, settle } = rendererSetup()
  main.answer('meetings.get', () => ({ meeting: meetingOf({ accountId: 'office' }) }))
  main.answer('meetings.lines', () => ({ lines: [], segments: [], next: null }))
  const scope = effectScope()
  const live = run(() => scope.run(() => useLiveLines(ref('m1'))))
  const shell = run(useShell)
  await settle()
  const office = { accountId: 'office', accountName: 'Office', preset: 'custom' } as const
  shell.connection = { ...office, state: 'offline', waiting: 0, since: 0 }
  expect(live?.waiting.value).toBe(0)
  expect(live?.away.value?.state).toBe('offline')
  shell.connection = { ...office, state: 'online', waiting: 0, since: 0 }
  expect(live?.away.value).toBeNull()
  scope.stop()
})
