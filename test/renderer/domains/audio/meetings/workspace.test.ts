import { expect, test, vi } from 'vitest'
import { effectScope, ref } from 'vue'
import { useMeetingWorkspace } from '../../../../../src/renderer/src/domains/audio/meetings/meeting-workspace-store.ts'
import { replacedWord } from '../../../../../src/shared/text/literal.ts'
import { useToasts } from '../../../../../src/renderer/src/kit/toasts.ts'
import { useShell } from '../../../../../src/renderer/src/lib/app-store.ts'
import { useMeeting } from '../../../../../src/renderer/src/domains/audio/meetings/meetings-store.ts'
import { useOpenedItem } from '../../../../../src/renderer/src/domains/audio/meetings/use-opened-item.ts'
import { createItemList } from '../../../../../src/renderer/src/domains/library/entries/item-list.ts'
import { hitLocation } from '../../../../../src/renderer/src/domains/library/search/link.ts'
import { useLibrary } from '../../../../../src/renderer/src/domains/library/entries/library-store.ts'
import type { ItemSummary } from '../../../../../src/shared/model/library.ts'
import type { MeetingEdit } from '../../../../../src/shared/model/meeting.ts'
import { failure, now } from '../../../fake-data.ts'
import { rendererSetup } from '../../../stores.ts'
import { lineOf, meetingOf, segmentOf } from './side-data.ts'

const segments = [
  segmentOf('s1', 0),
  segmentOf('s2', 10_000, { channel: 1 }),
  segmentOf('s3', 20_000),
]
const lines = [
  lineOf('l1', segmentOf('s1', 0), 'Good morning everyone'),
  lineOf('l2', segmentOf('s2', 10_000, { channel: 1 }), 'Hello'),
  lineOf('l3', segmentOf('s3', 20_000), 'Let us begin'),
]

/** Returns the workspace for a meeting of three lines; edits are stored as requested. */
async function inWorkspace() {
  const app = rendererSetup()
  const edits: MeetingEdit[] = []
  app.main.answer('meetings.get', () => ({ meeting: meetingOf() }))
  app.main.answer('meetings.lines', () => ({ lines, segments, next: null }))
  app.main.answer('meetings.edit', ({ edit }: { edit: MeetingEdit }) => {
    edits.push(edit)
    const [first] = lines
    const text = edit.type === 'text' ? edit.text : 'Good morning everyone'
    return { meeting: meetingOf(), lines: first ? [{ ...first, text }] : [], removed: [] }
  })
  const store = app.run(() => useMeeting())
  const workspace = app.run(() => useMeetingWorkspace())
  await store.open('m1')
  return { ...app, store, workspace, edits }
}

test('does not save unchanged text and removes a line that was emptied', async () => {
  const { workspace, edits } = await inWorkspace()
  const [line] = lines
  if (!line) throw new Error('no line')
  expect(await workspace.saveText(line, ' Good morning everyone ')).toBe(true)
  expect(edits).toEqual([])
  await workspace.saveText(line, '  ')
  expect(edits).toEqual([{ type: 'remove', lineIds: ['l1'] }])
})

test('offers once to correct a word elsewhere, too', async () => {
  const { workspace, store, edits, run } = await inWorkspace()
  const toasts = run(useToasts)
  const line = store.lines.find(({ id }) => id === 'l1')
  if (!line) throw new Error('no line')
  // The first word of the line, and of no other.
  await workspace.correct(line, 'Nice morning everyone')
  expect(toasts.toasts).toEqual([])
  const twice = { ...line, text: 'Let him in' }
  await workspace.correct(twice, 'Help him in')
  const [offer] = toasts.toasts
  expect(offer).toMatchObject({ values: { from: 'Let', to: 'Help', n: 1 } })
  if (offer) toasts.act(offer.id)
  await vi.waitFor(() => expect(toasts.toasts[0]?.key).toBe('transcript.replaced'))
  expect(edits.at(-1)).toEqual({
    type: 'replace',
    query: 'Let',
    replacement: 'Help',
    matchCase: true,
    wholeWords: true,
  })
})

test('recognizes an edit that replaces one word', () => {
  expect(replacedWord('We ship it.', 'We send it.')).toEqual({
    query: 'ship',
    replacement: 'send',
  })
  expect(replacedWord('发布计划推迟', '发布方案推迟')).toEqual({
    query: '计划',
    replacement: '方案',
  })
  for (const text of ['We ship it', 'We now ship it.', 'We it.', 'You may send it.', 'We ship it.'])
    expect(replacedWord('We ship it.', text), text).toBeNull()
})

test('offers no replacement whose result would match again', () => {
  expect(replacedWord('Call Smith now', 'Call John Smith Jr now')).toBeNull()
  expect(replacedWord('Call Smith now', 'Call John Smithson now')).toEqual({
    query: 'Smith',
    replacement: 'John Smithson',
  })
})

test('splits a line at the cursor in its edited text, at a time inside it', async () => {
  const { workspace, edits } = await inWorkspace()
  const [line] = lines
  if (!line) throw new Error('no line')
  await workspace.split(line, 'Good morning to everyone', 12)
  expect(edits.map(({ type }) => type)).toEqual(['text', 'split'])
  const [, split] = edits
  if (split?.type !== 'split') throw new Error('not split')
  expect(split.offset).toBe(12)
  expect(split.atMs).toBeGreaterThan(line.startMs)
  expect(split.atMs).toBeLessThan(line.endMs)
  edits.length = 0
  // One side would be empty.
  await workspace.split(line, 'Good morning everyone', 0)
  expect(edits).toEqual([])
})

test('merges lines with their neighbor on the same channel', async () => {
  const { workspace, edits } = await inWorkspace()
  workspace.select('l3')
  await workspace.mergeWith(-1)
  expect(edits).toEqual([{ type: 'merge', lineIds: ['l1', 'l3'] }])
  expect(workspace.chosen.map(({ id }) => id)).toEqual(['l1'])
  edits.length = 0
  workspace.select('l2')
  await workspace.mergeWith(1)
  expect(edits).toEqual([])
})

test('deselects removed lines, and everything when the meeting closes', async () => {
  const { workspace, store, main } = await inWorkspace()
  workspace.select('l1')
  workspace.select('l3', 'range')
  expect(workspace.chosen).toHaveLength(3)
  workspace.range = { startMs: 0, endMs: 500 }
  workspace.dialog = 'export'
  main.app({ type: 'meeting.lines', id: 'm1', lines: [], removed: ['l2'], segments: [] })
  await vi.waitFor(() => expect(workspace.chosen.map(({ id }) => id)).toEqual(['l1', 'l3']))
  store.close()
  await vi.waitFor(() =>
    expect([workspace.chosen.length, workspace.range, workspace.dialog]).toEqual([0, null, null]),
  )
})

test('shows versions only on request, and opens the Details panel for them', async () => {
  const { workspace, store, run } = await inWorkspace()
  const shell = run(() => useShell())
  shell.inspectorOpen = false
  workspace.select('l1')
  expect([workspace.panel, shell.inspectorShown]).toEqual(['meeting', false])
  workspace.showVersions()
  workspace.select('l3')
  expect([workspace.panel, shell.inspectorShown]).toEqual(['versions', true])
  store.close()
  await vi.waitFor(() => expect(workspace.panel).toBe('meeting'))
})

/** Runs a composable like a component would, for a test to end. */
function within<T>(use: () => T): { readonly value: T; stop(): void } {
  const scope = effectScope()
  const value = scope.run(use)
  if (value === undefined) throw new Error('the scope is over')
  return { value, stop: () => scope.stop() }
}

const row = (id: string, more: Partial<ItemSummary> = {}): ItemSummary => ({
  id,
  kind: 'meeting',
  title: 'Weekly',
  excerpt: '',
  duration: 60,
  meeting: null,
  document: null,
  conversation: null,
  speech: null,
  starred: false,
  folderId: null,
  tags: [],
  createdAt: now,
  updatedAt: now,
  deletedAt: null,
  ...more,
})

test('takes an opened item from the list, or requests it if the list does not contain it', async () => {
  const { main, run, settle } = rendererSetup()
  let inBin = row('m7', { deletedAt: now })
  main.answer('library.summary', ({ id }: { id: string }) => ({ ...inBin, id }))
  const library = run(() => useLibrary())
  await library.live.load()
  const id = ref('speech')
  const scope = within(() => run(() => useOpenedItem(id)))
  const { item } = scope.value
  expect(item.value?.kind).toBe('meeting')
  id.value = 'm7'
  await settle()
  expect([item.value?.id, item.value?.deletedAt]).toEqual(['m7', now])
  inBin = row('m7')
  main.app({ type: 'library.changed', itemIds: ['m7'] })
  await vi.waitFor(() => expect(item.value?.deletedAt).toBeNull())
  scope.stop()
})

test('reports a missing item and shows nothing of the previous one', async () => {
  const { run, settle } = rendererSetup({ fail: { 'library.summary': failure('NOT_FOUND') } })
  const library = run(() => useLibrary())
  await library.live.load()
  const id = ref('speech')
  const scope = within(() => run(() => useOpenedItem(id)))
  const { item, failure: why } = scope.value
  id.value = 'gone'
  await settle()
  expect([item.value, why.value?.code]).toEqual([null, 'NOT_FOUND'])
  id.value = 'speech'
  await settle()
  expect([item.value?.id, why.value]).toEqual(['speech', null])
  scope.stop()
})

test('updates a list row with its meeting', async () => {
  const { main, client } = rendererSetup()
  main.answer('library.list', () => ({ items: [row('m1')], next: null, total: 1 }))
  const list = createItemList(client, { bin: false })
  await list.load()
  list.meetingChanged(meetingOf({ title: 'Monday', durationMs: 90_000, state: 'recording' }))
  expect(list.items.value[0]).toMatchObject({
    title: 'Monday',
    duration: 90,
    meeting: { state: 'recording', durationMs: 90_000 },
  })
  expect(list.items.value[0]?.meeting).not.toHaveProperty('notes')
  list.meetingChanged(meetingOf({ id: 'other' }))
  expect(list.items.value).toHaveLength(1)
})

test('reloads a row without text once its meeting has some, not at every later change', async () => {
  const { main, client, settle } = rendererSetup()
  const wordless = { ...row('m1'), excerpt: '' }
  main.answer('library.list', () => ({ items: [wordless], next: null, total: 1 }))
  main.answer('library.summary', () => ({ ...wordless, excerpt: 'Good morning' }))
  const list = createItemList(client, { bin: false })
  await list.load()
  const requestCount = (): number =>
    main.requests.filter(({ route }) => route === 'library.summary').length
  const { completeness } = meetingOf({})
  const emitTranscribed = (transcribedMs: number) =>
    list.meetingChanged(meetingOf({ completeness: { ...completeness, transcribedMs } }))
  emitTranscribed(0)
  await settle()
  expect([requestCount(), list.items.value[0]?.excerpt]).toEqual([0, ''])
  emitTranscribed(4000)
  await settle()
  expect([requestCount(), list.items.value[0]?.excerpt]).toEqual([1, 'Good morning'])
  emitTranscribed(9000)
  await settle()
  expect(requestCount()).toBe(1)
})

test('opens a meeting at the line of a search result', () => {
  const hit = {
    itemId: 'm1',
    kind: 'meeting',
    title: 'Weekly',
    field: 'transcript',
    partId: 'l3',
    snippet: 'Let us begin',
    ranges: [[0, 3]],
    offset: 0,
    createdAt: now,
  } as const
  expect(hitLocation(hit, 'let')).toEqual({
    name: 'meetings',
    params: { id: 'm1' },
    query: { q: 'let', line: 'l3' },
  })
})
