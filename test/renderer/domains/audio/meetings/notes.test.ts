import { expect, onTestFinished, test, vi } from 'vitest'
import { createAutosave } from '../../../../../src/renderer/src/domains/audio/meetings/autosave.ts'
import { useMeetingDrafts } from '../../../../../src/renderer/src/domains/audio/meetings/drafts.ts'
import { useMeeting } from '../../../../../src/renderer/src/domains/audio/meetings/meetings-store.ts'
import type { Failure } from '../../../../../src/shared/contract/reply.ts'
import { failure } from '../../../fake-data.ts'
import { rendererSetup } from '../../../stores.ts'
import { meetingOf } from './side-data.ts'

/** Returns an autosave whose responses and time are controlled by the test. */
function setup(first = '') {
  const sent: { text: string; answer: (failed: Failure | null) => void }[] = []
  const timers: (() => void)[] = []
  const draft = createAutosave(
    first,
    (text) => new Promise((answer) => sent.push({ text, answer })),
    (_ms, work) => {
      timers.push(work)
      return () => timers.splice(timers.indexOf(work), 1)
    },
  )
  const answer = async (index: number, failed: Failure | null = null): Promise<void> => {
    sent[index]?.answer(failed)
    await Promise.resolve()
  }
  return { draft, sent, timers, answer }
}

test('combines many changes into one save without waiting for a pause', async () => {
  const { draft, sent, timers, answer } = setup()
  draft.type('a')
  draft.type('ab')
  draft.type('abc')
  expect(timers).toHaveLength(1)
  expect(draft.state.value).toBe('waiting')
  timers[0]?.()
  expect(sent.map(({ text }) => text)).toEqual(['abc'])
  expect(draft.state.value).toBe('saving')
  await answer(0)
  expect(draft.state.value).toBe('saved')
})

test('saves text written during a save, immediately when the page is left', async () => {
  const { draft, sent, answer } = setup()
  draft.type('a')
  void draft.flush()
  draft.type('ab')
  void draft.flush()
  void draft.flush()
  expect(sent.map(({ text }) => text)).toEqual(['a', 'ab'])
  await answer(0)
  expect(draft.state.value).toBe('saving')
  await answer(1)
  expect(draft.state.value).toBe('saved')
})

test('keeps unsaved text, reports the reason and retries', async () => {
  const { draft, sent, answer } = setup('kept')
  draft.type('kept and new')
  void draft.flush()
  await answer(0, failure('DISK_FULL'))
  expect(draft.state.value).toBe('failed')
  expect(draft.failure.value?.code).toBe('DISK_FULL')
  draft.accept('from elsewhere')
  expect(draft.text.value).toBe('kept and new')
  void draft.flush()
  expect(sent).toHaveLength(2)
  await answer(1)
  expect(draft.state.value).toBe('saved')
  expect(draft.failure.value).toBeNull()
})

test('does not save text that was reverted to the saved version', async () => {
  const { draft, sent } = setup('kept')
  draft.type('kept!')
  draft.type('kept')
  await draft.flush()
  expect(sent).toEqual([])
  expect(draft.state.value).toBe('saved')
})

test('accepts text saved by another window while nothing is being written', () => {
  const { draft } = setup('old')
  draft.accept('new')
  expect(draft.text.value).toBe('new')
  expect(draft.state.value).toBe('saved')
})

/** Returns the stores with two meetings in main; routes in `fail` fail. */
async function meetings() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const fail: Record<string, Failure> = {}
  const app = rendererSetup({ fail })
  const saved = new Map(['m1', 'm2'].map((id) => [id, meetingOf({ id })]))
  const requests: { id: string; notes?: string; prompt?: string }[] = []
  const get = (id: string) => ({ meeting: saved.get(id) ?? meetingOf({ id }) })
  app.main.answer('meetings.get', ({ id }: { id: string }) => get(id))
  app.main.answer('meetings.lines', () => ({ lines: [], segments: [], next: null }))
  app.main.answer('meetings.update', ({ id, ...patch }: { id: string; notes?: string }) => {
    requests.push({ id, ...patch })
    saved.set(id, { ...get(id).meeting, ...patch })
    app.main.app({ type: 'meeting.changed', meeting: get(id).meeting })
    return get(id)
  })
  const store = app.run(() => useMeeting())
  const drafts = app.run(() => useMeetingDrafts())
  await store.open('m1')
  return { app, store, drafts, requests, fail }
}

test('saves notes automatically, and to the right meeting when another one is opened', async () => {
  const { store, drafts, requests, app } = await meetings()
  drafts.notes?.type('first')
  await vi.advanceTimersByTimeAsync(1000)
  expect(requests).toEqual([{ id: 'm1', notes: 'first' }])
  drafts.notes?.type('first, second')
  await store.open('m2')
  await app.settle()
  expect(requests.at(-1)).toEqual({ id: 'm1', notes: 'first, second' })
  expect(drafts.notes?.text.value).toBe('')
  drafts.prompt?.type('About bees')
  await drafts.flush()
  expect(requests.at(-1)).toEqual({ id: 'm2', prompt: 'About bees' })
  await store.open('m1')
  expect(drafts.notes?.text.value).toBe('first, second')
})

test('restores unsaved notes when their meeting is opened again', async () => {
  const { store, drafts, app, requests, fail } = await meetings()
  fail['meetings.update'] = failure('DISK_FULL')
  drafts.notes?.type('not lost')
  await store.open('m2')
  await app.settle()
  await store.open('m1')
  expect(drafts.notes?.text.value).toBe('not lost')
  expect(drafts.notes?.state.value).toBe('failed')
  expect(requests).toEqual([])
  delete fail['meetings.update']
  await drafts.flush()
  expect(requests).toEqual([{ id: 'm1', notes: 'not lost' }])
  expect(drafts.notes?.state.value).toBe('saved')
})
