import { expect, test } from 'vitest'
import { useRun } from '../../../../src/renderer/src/domains/playground/runs/run-store.ts'
import { useRuns } from '../../../../src/renderer/src/domains/playground/runs/runs-store.ts'
import type { EventBatch, Run } from '../../../../src/shared/model/run.ts'
import { now } from '../../fake-data.ts'
import { batch, serveRuns, run, summary } from '../../fake-playground.ts'
import { rendererSetup } from '../../stores.ts'

const setup = (all: Run[], events: EventBatch[] = []) => {
  const app = rendererSetup()
  serveRuns(app.main, all, events)
  return app
}
const drawn = () => new Promise((resolve) => setTimeout(resolve, 80))

test('pages through runs, newest first, without duplicates', async () => {
  const all = Array.from({ length: 120 }, (_, i) => run(`r${i}`, { createdAt: now + i }))
  const { run: use, settle } = setup(all)
  const runs = use(useRuns)
  void runs.load()
  await settle()
  expect(runs.runs.length).toBe(50)
  expect(runs.runs[0]?.id).toBe('r119')
  await runs.more()
  await runs.more()
  await runs.more()
  expect(runs.runs.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toReversed())
})

test('updates the list with events, and shows only runs that match its filter', async () => {
  const { main, run: use, settle } = setup([run('a'), run('b', { operation: 'agents.chat' })])
  const runs = use(useRuns)
  void runs.load()
  await settle()
  void runs.setFilter({ family: 'rerank', state: 'done' })
  await settle()
  expect(runs.runs.map(({ id }) => id)).toEqual(['a'])
  main.app({ type: 'run.changed', run: summary(run('c', { operation: 'agents.chat' })) })
  main.app({ type: 'run.changed', run: summary(run('d', { createdAt: now + 5 })) })
  main.app({ type: 'run.changed', run: summary(run('e', { state: 'running' })) })
  expect(runs.runs.map(({ id }) => id)).toEqual(['d', 'a'])
  main.app({ type: 'run.changed', run: summary(run('a', { state: 'failed', updatedAt: now + 1 })) })
  expect(runs.runs.map(({ id }) => id)).toEqual(['d'])
  main.app({ type: 'runs.removed', ids: ['d'] })
  expect(runs.runs).toEqual([])
})

test('ignores a change that is older than the known state', async () => {
  const { main, run: use, settle } = setup([run('a', { updatedAt: now + 10, title: 'new' })])
  const runs = use(useRuns)
  void runs.load()
  await settle()
  main.app({ type: 'run.changed', run: summary(run('a', { updatedAt: now, title: 'old' })) })
  expect(runs.runs[0]?.title).toBe('new')
})

test('shows the stored events of an opened run, and the response only on request', async () => {
  const {
    main,
    run: use,
    settle,
  } = setup(
    [run('a', { events: 2, value: { answer: 'x' } })],
    [batch(0, [{ type: 'answer', text: 'x' }, { type: 'done' }])],
  )
  const opened = use(useRun)
  void opened.open('a')
  await settle()
  await drawn()
  expect(opened.events).toBe(2)
  expect(opened.eventAt(1)).toEqual({ type: 'done' })
  expect(main.requests.some(({ route }) => route === 'runs.raw')).toBe(false)
  await opened.loadRaw()
  expect(opened.raw?.body).toBe('x')
})

test('follows a running run: stored events, new events, then its end', async () => {
  const all = [run('a', { state: 'running', endedAt: null, events: 1, value: null })]
  const stored = [batch(0, [{ type: 'answer', text: 'By ' }])]
  const { main, run: use, settle } = setup(all, stored)
  main.answer('streams.attach', ({ streamId }: { streamId: string }) => ({
    streamId,
    nextSeq: 1,
    nextEvent: 1,
  }))
  const opened = use(useRun)
  void opened.open('a')
  await settle()
  const push = (seq: number, first: number, text: string): void =>
    main.stream({
      streamId: 'stream-a',
      seq,
      type: 'events',
      batch: batch(first, [{ type: 'answer', text }]),
    })
  push(1, 1, 'the ')
  push(2, 2, 'sun.')
  await settle()
  await drawn()
  expect([opened.events, opened.spoken]).toEqual([3, 'By the sun.'])
  all[0] = run('a', { events: 3, value: { answer: 'By the sun.' }, updatedAt: now + 9 })
  main.stream({ streamId: 'stream-a', seq: 3, type: 'end' })
  await settle()
  expect([opened.run?.state, opened.run?.value]).toEqual(['done', { answer: 'By the sun.' }])
})

test('fills a gap in the events from storage', async () => {
  const all = [run('a', { state: 'running', endedAt: null, value: null })]
  const stored: EventBatch[] = []
  const { main, run: use, settle } = setup(all, stored)
  main.answer('streams.attach', ({ streamId }: { streamId: string }) => ({
    streamId,
    nextSeq: 0,
  }))
  const opened = use(useRun)
  void opened.open('a')
  await settle()
  stored.push(batch(0, ['a', 'b']), batch(2, ['c']))
  main.stream({ streamId: 'stream-a', seq: 0, type: 'events', batch: batch(2, ['c']) })
  await settle()
  await drawn()
  expect([0, 1, 2].map((at) => opened.eventAt(at))).toEqual(['a', 'b', 'c'])
  expect(opened.events).toBe(3)
})

test('does not overwrite another run that was opened in the meantime', async () => {
  const { run: use, settle } = setup([run('a'), run('b')])
  const opened = use(useRun)
  void opened.open('a')
  void opened.open('b')
  await settle()
  expect(opened.run?.id).toBe('b')
})

test('renames a run, and closes one that is removed', async () => {
  const { run: use, settle } = setup([run('a')])
  const opened = use(useRun)
  const runs = use(useRuns)
  void opened.open('a')
  void runs.load()
  await settle()
  await opened.rename('  Bees  ')
  expect(opened.run?.title).toBe('Bees')
  expect(await runs.remove(['a'])).toBeNull()
  expect([opened.run, runs.runs.length]).toEqual([null, 0])
})

test('reports why something cannot be started', async () => {
  const error = { code: 'BAD_REQUEST', message: 'no', retriable: false, at: now } as const
  const { run: use } = rendererSetup({ fail: { 'runs.start': error } })
  expect(await use(useRuns).start('rerank.create', {})).toEqual({ failure: error })
})
