import { expect, test, vi } from 'vitest'
import type { Reply } from '../../../../src/shared/contract/reply.ts'
import type { IntakeReply } from '../../../../src/shared/contract/transport.ts'
import { useIntake } from '../../../../src/renderer/src/domains/library/intake/intake-store.ts'
import {
  importCounts,
  isUntranscribed,
  refusedTogether,
} from '../../../../src/renderer/src/domains/library/intake/intake-messages.ts'
import { failure } from '../../fake-data.ts'
import { meetingOf } from '../audio/meetings/side-data.ts'
import { rendererSetup, type RendererSetup } from '../../stores.ts'

/** Uploads that the test ends manually. */
function gate() {
  const open: { name: string; finish(reply: Reply<IntakeReply>): void }[] = []
  const upload = (
    file: File,
    options?: { onProgress?(fraction: number): void; signal?: AbortSignal },
  ) =>
    new Promise<Reply<IntakeReply>>((resolve) => {
      options?.onProgress?.(0.5)
      options?.signal?.addEventListener('abort', () =>
        resolve({ ok: false, error: failure('CANCELLED') }),
      )
      open.push({ name: file.name, finish: resolve })
    })
  return { open, upload }
}
const arrived = (main: RendererSetup['main']): Reply<IntakeReply> => {
  const item = main.items.get('speech')
  if (!item) throw new Error('no such fixture')
  return { ok: true, data: { media: item.media } }
}
const audioFile = (name: string): File => new File(['sound'], name)

test('uploads two files at a time, reports their progress, and creates meetings', async () => {
  const { open, upload } = gate()
  const { main, run, settle } = rendererSetup({}, upload)
  const intake = run(useIntake)
  intake.take([audioFile('a.wav'), audioFile('b.wav'), audioFile('c.wav')])
  expect(open.map(({ name }) => name)).toEqual(['a.wav', 'b.wav'])
  expect(intake.imports.map(({ state }) => state)).toEqual(['uploading', 'uploading', 'waiting'])
  expect(intake.imports[0]?.progress).toBe(0.5)
  open[0]?.finish(arrived(main))
  await settle()
  expect(open.map(({ name }) => name)).toEqual(['a.wav', 'b.wav', 'c.wav'])
  expect(intake.imports[0]).toMatchObject({ state: 'done', itemId: 'new' })
  // Several at once: none is opened over the current item.
  expect(intake.opened).toBeNull()
})

test('opens a single file when it has become a meeting', async () => {
  const { open, upload } = gate()
  const { main, run, settle } = rendererSetup({}, upload)
  const intake = run(useIntake)
  intake.take([audioFile('jfk.wav')])
  open[0]?.finish(arrived(main))
  await settle()
  expect(intake.opened).toEqual({ id: 'new', kind: 'meeting' })
  const started = main.requests.find(({ route }) => route === 'library.import')
  expect(started?.payload).toMatchObject({ mediaId: main.items.get('speech')?.media.id })
})

test('opens a single file that was added while others were uploaded', async () => {
  const { open, upload } = gate()
  const { main, run, settle } = rendererSetup({}, upload)
  const intake = run(useIntake)
  intake.take([audioFile('a.wav'), audioFile('b.wav')])
  intake.take([audioFile('alone.wav')])
  open[0]?.finish(arrived(main))
  await settle()
  expect(intake.opened).toBeNull()
  expect(open.map(({ name }) => name)).toEqual(['a.wav', 'b.wav', 'alone.wav'])
  open[2]?.finish(arrived(main))
  await settle()
  expect(intake.opened).toEqual({ id: 'new', kind: 'meeting' })
})

test('rejects an empty file without an upload, next to a valid one', () => {
  const { open, upload } = gate()
  const intake = rendererSetup({}, upload).run(useIntake)
  intake.take([new File([], 'nothing.wav'), audioFile('fine.wav')])
  expect(intake.imports[0]).toMatchObject({ state: 'failed', failure: { code: 'EMPTY_FILE' } })
  expect(open.map(({ name }) => name)).toEqual(['fine.wav'])
})

test('shows several refused files in one notice, whatever the reasons, and a single one in its row', () => {
  const one = {
    bytes: 1,
    progress: 0,
    itemId: null,
    kind: null,
    untranscribed: null,
  } as const
  const failed = (id: number, name: string, code: 'DAMAGED_FILE' | 'UNSUPPORTED_FORMAT') =>
    ({ ...one, id, name, state: 'failed', failure: failure(code) }) as const
  const files = [
    failed(1, 'notes.xyz', 'UNSUPPORTED_FORMAT'),
    { ...one, id: 2, name: 'talk.mp3', state: 'done', failure: null } as const,
    failed(3, 'broken.mp3', 'DAMAGED_FILE'),
  ]
  expect(refusedTogether(files).map(({ name }) => name)).toEqual(['notes.xyz', 'broken.mp3'])
  expect(refusedTogether(files.slice(0, 2))).toEqual([])
})

test('keeps a file that main rejects, with its reason and a retry', async () => {
  const { open, upload } = gate()
  const { main, run, settle } = rendererSetup({}, upload)
  const intake = run(useIntake)
  intake.take([audioFile('big.wav')])
  open[0]?.finish({ ok: false, error: failure('DISK_FULL') })
  await settle()
  const one = intake.imports[0]
  expect(one).toMatchObject({ state: 'failed', failure: { code: 'DISK_FULL' } })
  expect(intake.canRetry(one?.id ?? 0)).toBe(true)
  intake.retry(one?.id ?? 0)
  open[1]?.finish(arrived(main))
  await settle()
  expect(intake.imports[0]).toMatchObject({ state: 'done', failure: null })
})

test('stops the upload of a file that is removed from the list', async () => {
  const { open, upload } = gate()
  const { main, run, settle } = rendererSetup({}, upload)
  const intake = run(useIntake)
  intake.take([audioFile('a.wav')])
  intake.dismiss(intake.imports[0]?.id ?? 0)
  await settle()
  expect(intake.imports).toEqual([])
  expect(open.length).toBe(1)
  expect(main.requests.some(({ route }) => route === 'library.import')).toBe(false)
})

test('removes imported files automatically, but keeps failed transcriptions until seen', async () => {
  vi.useFakeTimers()
  const { open, upload } = gate()
  const { main, run } = rendererSetup({}, upload)
  const intake = run(useIntake)
  intake.take([audioFile('long.wav'), new File([], 'nothing.wav')])
  intake.dismiss(intake.imports[1]?.id ?? 0)
  open[0]?.finish(arrived(main))
  await vi.advanceTimersByTimeAsync(100)
  const error = failure('DAMAGED_FILE', { retriable: false })
  main.app({
    type: 'meeting.changed',
    meeting: meetingOf({ id: 'new', state: 'import-failed', error }),
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(intake.imports.map(isUntranscribed)).toEqual([true])
  expect(intake.imports[0]?.untranscribed?.code).toBe('DAMAGED_FILE')
  // It was imported again, and succeeded.
  main.app({ type: 'meeting.changed', meeting: meetingOf({ id: 'new', state: 'stopped' }) })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(intake.imports).toEqual([])
  vi.useRealTimers()
})

test('dismisses all finished files at once, and continues with pending ones', async () => {
  const { open, upload } = gate()
  const { main, run, settle } = rendererSetup({}, upload)
  const intake = run(useIntake)
  intake.take([new File([], 'nothing.wav'), audioFile('a.wav'), audioFile('b.wav')])
  open[0]?.finish(arrived(main))
  await settle()
  expect(importCounts(intake.imports)).toEqual({ moving: 1, failed: 1, untranscribed: 0, added: 1 })
  intake.dismissAll()
  expect(intake.imports.map(({ name }) => name)).toEqual(['b.wav'])
  open[1]?.finish(arrived(main))
  await settle()
  intake.seen('new')
  expect(intake.imports).toEqual([])
})
