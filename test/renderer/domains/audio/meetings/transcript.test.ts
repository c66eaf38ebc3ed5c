import { expect, test } from 'vitest'
import { en } from '../../../../../src/renderer/src/i18n/en/index.ts'
import { useMeetingWorkspace } from '../../../../../src/renderer/src/domains/audio/meetings/meeting-workspace-store.ts'
import { flagKey } from '../../../../../src/renderer/src/domains/audio/meetings/flag-key.ts'
import {
  lineActionOf,
  rowOfKey,
} from '../../../../../src/renderer/src/domains/audio/meetings/line-actions.ts'
import { useMeeting } from '../../../../../src/renderer/src/domains/audio/meetings/meetings-store.ts'
import type { Flag, Line, MeetingEdit } from '../../../../../src/shared/model/meeting.ts'
import { failure } from '../../../fake-data.ts'
import { rendererSetup } from '../../../stores.ts'
import { lineOf, meetingOf, segmentOf } from './side-data.ts'

const segment = segmentOf('a', 0, { voiced: [{ startMs: 2000, endMs: 10_000 }] })
const lines = [
  lineOf('1', segment, 'aaaa bbbb cccc dddd'),
  lineOf('2', segmentOf('b', 10_000, { channel: 1 }), 'Others speak'),
  lineOf('3', segmentOf('c', 20_000), 'Mine again'),
]

/** Opens a meeting; edits are stored, and answered as specified by the test. */
async function opened(answer: (edit: MeetingEdit) => readonly Line[] = () => []) {
  const { main, run, settle } = rendererSetup()
  const edits: MeetingEdit[] = []
  main.answer('meetings.get', () => ({ meeting: meetingOf() }))
  main.answer('meetings.lines', () => ({ lines, segments: [segment], next: null }))
  main.answer('meetings.edit', ({ edit }: { edit: MeetingEdit }) => {
    edits.push(edit)
    return { meeting: meetingOf({ canUndo: true }), lines: answer(edit), removed: [] }
  })
  const store = run(() => useMeeting())
  const workspace = run(() => useMeetingWorkspace())
  await store.open('m1')
  await settle()
  const line = (id: string): Line => {
    const found = store.lineById.get(id)
    if (!found) throw new Error('There is no such line')
    return found
  }
  return { main, store, workspace, edits, line, settle }
}

test('does not send unchanged text, and removes a line without text', async () => {
  const { workspace, edits, line } = await opened()
  workspace.editing = '2'
  expect(await workspace.saveText(line('2'), '  Others speak ')).toBe(true)
  expect(workspace.editing).toBeNull()
  expect(edits).toEqual([])
  await workspace.saveText(line('2'), 'Others spoke')
  await workspace.saveText(line('2'), '   ')
  expect(edits).toEqual([
    { type: 'text', lineId: '2', text: 'Others spoke' },
    { type: 'remove', lineIds: ['2'] },
  ])
})

test('splits a line at the word of the cursor, at its estimated time', async () => {
  const { workspace, edits, line } = await opened()
  await workspace.split(line('1'), line('1').text, 10)
  expect(edits).toEqual([{ type: 'split', lineId: '1', offset: 10, atMs: 6000 }])
})

test('saves changes before a split, and uses them for its position', async () => {
  const changed = 'zz aaaa bbbb cccc dddd'
  const { workspace, edits, line } = await opened((edit) =>
    edit.type === 'text' ? [{ ...line('1'), text: edit.text, edited: true }] : [],
  )
  await workspace.split(line('1'), `  ${changed}`, 10)
  expect(edits[0]).toEqual({ type: 'text', lineId: '1', text: changed })
  expect(edits[1]).toMatchObject({ type: 'split', offset: 8 })
})

test('does not split at the edge of a line', async () => {
  const { workspace, edits, line } = await opened()
  await workspace.split(line('1'), 'aaaa bbbb cccc dddd', 0)
  await workspace.split(line('1'), 'aaaa bbbb cccc dddd ', 19)
  expect(edits).toEqual([])
})

test('merges a line with the nearest of its channel, in chronological order', async () => {
  const { workspace, edits, line } = await opened()
  expect(workspace.neighbour(line('2'), 1)).toBeNull()
  workspace.select('3')
  await workspace.mergeWith(-1)
  workspace.select('1')
  await workspace.mergeWith(1)
  await workspace.mergeWith(-1)
  expect(edits).toEqual([
    { type: 'merge', lineIds: ['1', '3'] },
    { type: 'merge', lineIds: ['1', '3'] },
  ])
})

test('removes and reassigns the selected lines together, in chronological order', async () => {
  const { workspace, edits } = await opened()
  workspace.select('3')
  workspace.select('1', 'toggle')
  await workspace.assign(
    's2',
    workspace.chosen.map(({ id }) => id),
  )
  await workspace.removeChosen()
  expect(edits).toEqual([
    { type: 'assign', lineIds: ['1', '3'], speakerId: 's2' },
    { type: 'remove', lineIds: ['1', '3'] },
  ])
})

test('leaves the line unchanged when main rejects a change, and reports why', async () => {
  const { main, store, workspace, line } = await opened()
  const request = main.request.bind(main)
  main.request = (route, payload) =>
    route === 'meetings.edit'
      ? Promise.resolve({ ok: false, error: failure('REFUSED') })
      : request(route, payload)
  expect(await workspace.saveText(line('1'), 'Other words')).toBe(false)
  expect(line('1').text).toBe('aaaa bbbb cccc dddd')
  expect(store.actionFailure?.code).toBe('REFUSED')
})

test('deselects lines removed from the meeting and stops editing them', async () => {
  const { main, workspace, settle, store } = await opened()
  workspace.select('1')
  workspace.select('3', 'range')
  workspace.editing = '2'
  main.app({ type: 'meeting.lines', id: 'm1', lines: [], removed: ['2', '3'], segments: [] })
  await expect.poll(() => store.lines.length).toBe(1)
  await settle()
  expect([...workspace.selection.ids]).toEqual(['1'])
  expect(workspace.editing).toBeNull()
})

test('shows streamed text in place of its segment, and removes it with the segment', async () => {
  const { main, workspace } = await opened()
  const waiting = segmentOf('w', 40_000, { state: 'inflight', versionId: null })
  main.app({ type: 'meeting.lines', id: 'm1', lines: [], removed: [], segments: [waiting] })
  main.app({ type: 'meeting.partial', id: 'm1', segmentId: 'w', text: 'And so' })
  await expect.poll(() => workspace.rows.at(-1)).toMatchObject({ kind: 'wait', text: 'And so' })
  const done = { ...waiting, state: 'done' as const, versionId: 'r' }
  const line = lineOf('4', waiting, 'And so it went')
  main.app({ type: 'meeting.partial', id: 'm1', segmentId: 'w', text: '' })
  main.app({ type: 'meeting.lines', id: 'm1', lines: [line], removed: [], segments: [done] })
  await expect.poll(() => workspace.rows.at(-1)).toMatchObject({ kind: 'line', key: '4' })
  expect(workspace.rows.filter(({ kind }) => kind === 'wait')).toEqual([])
})

const press = (key: string, more: Partial<Parameters<typeof lineActionOf>[0]> = {}) => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
})

test('changes the focused line with plain keys only, not with Ctrl or Alt', () => {
  const acts = ['Enter', 'e', 'E', 'F2', 's', 'h', 'm', 'Delete', 'x', ' '].map((key) =>
    lineActionOf(press(key)),
  )
  expect(acts).toEqual([
    'play',
    'edit',
    'edit',
    'edit',
    'speaker',
    'again',
    'mergeBelow',
    'remove',
    null,
    null,
  ])
  expect(lineActionOf(press('M', { shiftKey: true }))).toBe('mergeAbove')
  expect(lineActionOf(press('Delete', { shiftKey: true }))).toBeNull()
  for (const key of ['e', 's', 'm', 'Enter', 'Delete'])
    for (const held of ['ctrlKey', 'metaKey', 'altKey'] as const)
      expect(lineActionOf(press(key, { [held]: true }))).toBeNull()
})

test('moves through the rows with arrow and page keys and stops at both ends', () => {
  expect(rowOfKey('ArrowDown', -1, 5, 3)).toBe(0)
  expect(rowOfKey('ArrowDown', 4, 5, 3)).toBe(4)
  expect(rowOfKey('ArrowUp', 0, 5, 3)).toBe(0)
  expect(rowOfKey('PageDown', 1, 5, 3)).toBe(4)
  expect(rowOfKey('PageUp', 1, 5, 3)).toBe(0)
  expect(rowOfKey('Home', 3, 5, 3)).toBe(0)
  expect(rowOfKey('End', 3, 5, 3)).toBe(4)
  expect(rowOfKey('a', 3, 5, 3)).toBeNull()
  expect(rowOfKey('ArrowDown', 0, 0, 3)).toBeNull()
})

test('has a description for every flag', () => {
  const flags: readonly Flag[] = [
    'loop',
    'too-fast',
    'prompt-echo',
    'hotword-echo',
    'describes-silence',
    'seam',
    'seam-unsure',
    'echo',
  ]
  expect(flags.map(flagKey).toSorted()).toEqual(Object.keys(en.transcript.flags).toSorted())
})
