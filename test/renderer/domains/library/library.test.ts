import { expect, test } from 'vitest'
import {
  daysLeft,
  fitsFilter,
  groupedRows,
} from '../../../../src/renderer/src/domains/library/entries/rows.ts'
import { entryOf } from '../../../../src/renderer/src/domains/library/entries/entry-labels.ts'
import { useLibrary } from '../../../../src/renderer/src/domains/library/entries/library-store.ts'
import { useToasts } from '../../../../src/renderer/src/kit/toasts.ts'
import { failure, meetings, now } from '../../fake-data.ts'
import { meetingOf } from '../audio/meetings/side-data.ts'
import { rendererSetup } from '../../stores.ts'

async function loaded(fail?: Record<string, ReturnType<typeof failure>>) {
  const app = rendererSetup(fail ? { fail } : {})
  const library = app.run(useLibrary)
  const toasts = app.run(useToasts)
  void library.live.load()
  await app.settle()
  return { ...app, library, toasts }
}

test('shows a deletion at once and can undo it', async () => {
  const { library, toasts, settle } = await loaded()
  const total = library.live.total
  void library.remove(['review'])
  expect(library.live.items.some(({ id }) => id === 'review')).toBe(false)
  await settle()
  expect(library.live.total).toBe(total - 1)
  toasts.toasts.find(({ action }) => action)?.action?.run()
  await settle()
  const ids = library.live.items.map(({ id }) => id)
  expect(ids).toContain('review')
  // Back in its previous position, not at the top.
  expect(ids.indexOf('review')).toBe(ids.indexOf('waiting') + 1)
  expect(library.live.total).toBe(total)
})

test('restores an item with the reason when main rejects its deletion', async () => {
  const { library, settle } = await loaded({ 'library.remove': failure('READ_ONLY') })
  void library.remove(['review'])
  await settle()
  expect(library.live.items.some(({ id }) => id === 'review')).toBe(true)
  expect(library.failure?.code).toBe('READ_ONLY')
})

test('stops tagging at the first failure and reports it, or offers undo', async () => {
  const tagAll = async (fail?: Record<string, ReturnType<typeof failure>>) => {
    const { library, main, settle, toasts } = await loaded(fail)
    if (!fail) main.answer('library.organize', () => ({}))
    const [model] = library.live.items.map(entryOf)
    if (!model) throw new Error('no fixture')
    const entries = Array.from({ length: 501 }, (_, n) => ({ ...model, id: `b${n}`, item: null }))
    const change = { addTags: ['new'], removeTags: [] }
    await library.tag(entries, change, () => undefined)
    const requests = () => main.requests.filter(({ route }) => route === 'library.organize')
    return { library, requests, settle, toasts }
  }
  const refused = await tagAll({ 'library.organize': failure('READ_ONLY') })
  expect(refused.library.failure?.code).toBe('READ_ONLY')
  expect(refused.requests()).toHaveLength(1)
  expect(refused.toasts.toasts).toEqual([])
  const { requests, settle, toasts } = await tagAll()
  expect(toasts.toasts).toMatchObject([{ key: 'organize.tagged', count: 501 }])
  toasts.actNewest()
  await settle()
  expect(requests().map(({ payload }) => payload)).toMatchObject([
    { addTags: ['new'] },
    { addTags: ['new'] },
    { removeTags: ['new'] },
    { removeTags: ['new'] },
  ])
})

test('inserts new items in order, updates changed ones and removes purged ones', async () => {
  const { library, main, settle } = await loaded()
  const model = main.items.get('speech')
  if (!model) throw new Error('no such fixture')
  main.items.set('new', { ...model, id: 'new', title: 'Just now', createdAt: now })
  main.app({ type: 'library.changed', itemIds: ['new'] })
  await settle()
  expect(library.live.items[0]?.id).toBe('new')
  main.items.delete('new')
  main.app({ type: 'library.changed', itemIds: ['new'] })
  await settle()
  expect(library.live.items.some(({ id }) => id === 'new')).toBe(false)
})

test('updates the status of a row without loading the list again', async () => {
  const { library, main } = await loaded()
  const requestCount = main.requests.length
  const waiting = () =>
    library.live.items.find(({ id }) => id === 'review')?.meeting?.completeness.waiting
  expect(waiting()).toBe(0)
  const meeting = meetingOf({ id: 'review' })
  main.app({
    type: 'meeting.changed',
    meeting: { ...meeting, completeness: { ...meeting.completeness, waiting: 2 } },
  })
  expect(waiting()).toBe(2)
  expect(main.requests.length).toBe(requestCount)
})

test('loads a long list in pages, each item once', async () => {
  const app = rendererSetup()
  const model = app.main.items.get('review')
  if (!model) throw new Error('no such fixture')
  for (let index = 0; index < 250; index++) {
    const id = `many-${index}`
    app.main.items.set(id, {
      ...model,
      id,
      createdAt: now - index * 1000,
    })
  }
  const library = app.run(useLibrary)
  void library.live.load()
  await app.settle()
  expect(library.live.items.length).toBe(100)
  // Two concurrent requests load one page.
  void library.live.more()
  void library.live.more()
  await app.settle()
  expect(library.live.items.length).toBe(200)
  void library.live.more()
  await app.settle()
  void library.live.more()
  await app.settle()
  expect(library.live.items.length).toBe(library.live.total)
  expect(new Set(library.live.items.map(({ id }) => id)).size).toBe(library.live.total)
})

test('groups rows under day headings, each heading once', () => {
  const rows = groupedRows(meetings(), {
    now,
    language: 'en',
    itemRem: 3,
    headingRem: 2,
    at: (item) => item.createdAt,
    t: (key) => key,
  })
  const headings = rows.flatMap((row) => (row.heading === null ? [] : [row.heading]))
  expect(headings.slice(0, 3)).toEqual(['list.today', 'list.yesterday', 'list.thisWeek'])
  expect(new Set(headings).size).toBe(headings.length)
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
})

test('separates automatic work from work that needs the user in filters', () => {
  const by = (filter: 'working' | 'attention') =>
    meetings()
      .filter((item) => fitsFilter(item, filter))
      .map(({ id }) => id)
  expect(by('working')).toEqual(['running', 'waiting'])
  expect(by('attention')).toEqual(['long', 'cut'])
})

test('counts down from 30 days in Trash, never below zero', () => {
  const item = meetings()[0]
  if (!item) throw new Error('no fixture')
  const day = 86_400_000
  expect(daysLeft({ ...item, deletedAt: now }, now)).toBe(30)
  expect(daysLeft({ ...item, deletedAt: now - 29.5 * day }, now)).toBe(1)
  expect(daysLeft({ ...item, deletedAt: now - 40 * day }, now)).toBe(0)
})
