import { expect, onTestFinished, test, vi } from 'vitest'
import { useDocumentQueue } from '../../../../src/renderer/src/domains/library/jobs/document-queue.ts'
import type { DocumentNews, QueuedVersion } from '../../../../src/shared/model/document.ts'
import { rendererSetup } from '../../stores.ts'

const version = (id: string, change: Partial<QueuedVersion> = {}): QueuedVersion => ({
  id,
  title: `Title ${id}`,
  documentId: `d${id}`,
  number: 1,
  options: { pages: '', crops: false, layoutPictures: false },
  accountId: 'a',
  accountName: 'A',
  engine: null,
  state: 'waiting',
  counts: { asked: 9, returned: 0, failed: 0, waiting: 9, cancelled: 0 },
  calls: 0,
  priority: 0,
  error: null,
  createdAt: 0,
  endedAt: null,
  ...change,
})
const news = (one: QueuedVersion, change: Partial<DocumentNews> = {}): DocumentNews => ({
  id: one.documentId,
  title: one.title,
  mediaId: 'm',
  name: 'x.pdf',
  unlocked: false,
  versions: [one],
  createdAt: 0,
  updatedAt: 0,
  deletedAt: null,
  ...change,
})

/** Queue over a main process that orders by number, then by age. */
async function queued(...versions: readonly QueuedVersion[]) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { main, run } = rendererSetup()
  let saved = versions
  main.answer('documents.queue', () => ({
    versions: saved.toSorted((a, b) => a.priority - b.priority || a.id.localeCompare(b.id)),
  }))
  main.answer(
    'documents.prioritise',
    ({ versionId, priority }: { versionId: string; priority: number }) => {
      saved = saved.map((one) => (one.id === versionId ? { ...one, priority } : one))
      return { version: saved.find(({ id }) => id === versionId) }
    },
  )
  const queue = run(useDocumentQueue)
  await queue.load()
  return {
    main,
    queue,
    reads: () => main.requests.filter(({ route }) => route === 'documents.queue').length,
    keep: (next: readonly QueuedVersion[]) => (saved = next),
    order: () => queue.versions.map(({ id }) => id).join(''),
    wait: () => vi.advanceTimersByTimeAsync(1000),
  }
}

test('moves a version first or last, and shows the order at once', async () => {
  const { queue, order } = await queued(version('a'), version('b'), version('c'))
  await queue.move('c', 'first')
  expect(order()).toBe('cab')
  await queue.move('a', 'last')
  expect(order()).toBe('cba')
  expect([queue.placeOf('c'), queue.placeOf('gone')]).toEqual([1, 0])
})

test('updates a row in place when pages are received, without a request', async () => {
  const { main, queue, reads, wait } = await queued(version('a'), version('b'))
  const counts = { asked: 9, returned: 4, failed: 0, waiting: 5, cancelled: 0 }
  main.app({ type: 'document.changed', document: news(version('a', { state: 'running', counts })) })
  await wait()
  expect(queue.versions[0]).toMatchObject({ id: 'a', state: 'running', counts })
  expect(queue.running).toBe(1)
  expect(reads()).toBe(1)
})

test('reloads once for simultaneous changes when versions start, end or move', async () => {
  const { main, keep, order, reads, wait } = await queued(version('a'), version('b'))
  keep([version('b'), version('c')])
  main.app({ type: 'document.changed', document: news(version('a', { state: 'done' })) })
  main.app({ type: 'document.changed', document: news(version('c')) })
  await wait()
  expect([order(), reads()]).toEqual(['bc', 2])
  keep([version('b', { priority: 5 }), version('c')])
  main.app({ type: 'document.changed', document: news(version('b', { priority: 5 })) })
  await wait()
  expect(order()).toBe('cb')
  keep([version('c')])
  main.app({
    type: 'document.changed',
    document: news(version('b', { priority: 5 }), { deletedAt: 1 }),
  })
  await wait()
  expect(order()).toBe('c')
})
