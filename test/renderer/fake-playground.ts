import type { OperationInfo } from '../../src/shared/model/operation.ts'
import type { EventBatch, Run, RunSummary } from '../../src/shared/model/run.ts'
import type { Task } from '../../src/shared/model/task.ts'
import { now } from './fake-data.ts'
import type { FakeTransport } from './fake-transport.ts'

/** Run as main reports it. */
export const run = (id: string, more: Partial<Run> = {}): Run => ({
  id,
  accountId: 'this-computer',
  accountName: 'This computer',
  operation: 'rerank.create',
  title: `Run ${id}`,
  state: 'done',
  createdAt: now,
  updatedAt: now,
  endedAt: now + 120,
  streamId: `stream-${id}`,
  events: 0,
  refused: null,
  error: null,
  input: { query: 'q', documents: ['a'] },
  inputFiles: [],
  requestId: 'req-1',
  engine: null,
  notice: null,
  usage: null,
  value: [],
  files: [],
  ...more,
})

/** Run as lists show it. */
export const summary = ({
  input: _,
  inputFiles: _i,
  requestId: _r,
  engine: _e,
  notice: _n,
  usage: _u,
  value: _v,
  files: _f,
  ...rest
}: Run): RunSummary => rest

/** Events as main sends them. */
export const batch = (first: number, events: readonly unknown[]): EventBatch => ({
  first,
  count: events.length,
  json: JSON.stringify(events),
})

/** Tracked task. */
export const task = (id: string, more: Partial<Task> = {}): Task => ({
  id,
  taskId: `task-${id}`,
  title: `task-${id}`,
  accountId: 'this-computer',
  accountName: 'This computer',
  kind: 'chat',
  model: null,
  state: 'processing',
  attempts: 1,
  intervalMs: 2000,
  nextPollAt: now + 2000,
  error: null,
  engine: null,
  notice: null,
  createdAt: now,
  updatedAt: now,
  ...more,
})

/** Enough operations for the screens: one with text input, one that streams. */
export const operations: readonly OperationInfo[] = [
  {
    name: 'rerank.create',
    spec: '5',
    summary: 'Scores texts against a query.',
    creates: false,
    streams: false,
    writes: null,
    fields: [],
  },
]

/** Lets a fake main store runs and tasks in memory. */
export function serveRuns(main: FakeTransport, all: Run[], events: EventBatch[] = []): void {
  const need = (id: string): Run => {
    const found = all.find((one) => one.id === id)
    if (!found) throw new Error(`no run ${id}`)
    return found
  }
  main.answer('runs.operations', () => operations)
  main.answer('runs.get', ({ id }: { id: string }) => need(id))
  main.answer(
    'runs.list',
    (query: { family?: string; state?: string; before?: string; limit: number }) => {
      const fitting = all
        .filter((one) => !query.family || one.operation.startsWith(`${query.family}.`))
        .filter((one) => !query.state || one.state === query.state)
        .toSorted((a, b) => b.createdAt - a.createdAt)
      const from = query.before ? fitting.findIndex((one) => one.id === query.before) + 1 : 0
      const page = fitting.slice(from, from + query.limit)
      const more = from + page.length < fitting.length
      return { runs: page.map(summary), next: more ? (page.at(-1)?.id ?? null) : null }
    },
  )
  main.answer('runs.events', ({ from }: { from: number }) => ({
    batches: events.filter((one) => one.first + one.count > from),
    next: null,
  }))
  main.answer('runs.start', ({ operation, input, streamId }: Run) => {
    const started = run(`new-${all.length}`, { operation, input, streamId, state: 'running' })
    all.push({ ...started, createdAt: now + all.length, endedAt: null })
    return summary(started)
  })
  main.answer('runs.remove', ({ ids }: { ids: string[] }) => {
    for (const id of ids) all.splice(all.indexOf(need(id)), 1)
    main.app({ type: 'runs.removed', ids })
    return {}
  })
  main.answer('runs.rename', ({ id, title }: { id: string; title: string }) => ({
    ...summary(need(id)),
    title,
    updatedAt: now + 1,
  }))
  main.answer('runs.raw', () => ({ reply: { status: 200, contentType: 'text/plain', body: 'x' } }))
}
