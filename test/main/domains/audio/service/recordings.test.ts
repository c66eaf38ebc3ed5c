import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { AppError } from '../../../../../src/main/errors.ts'
import { later } from '../../../../../src/main/long-timeout.ts'
import { createAnnouncer } from '../../../../../src/main/platform/bridge/announcer.ts'
import type { Capture } from '../../../../../src/main/domains/audio/service/recording/capture.ts'
import { createRecordings } from '../../../../../src/main/domains/audio/service/recordings.ts'
import type { MeetingStore } from '../../../../../src/main/domains/audio/store/meetings-types.ts'
import { openStore } from '../../../../../src/main/library-database/open.ts'
import { memoryLog, storeOptions, temporaryHome } from '../../../platform/database/fixture.ts'
import { put, startCapture } from './recording/fixture.ts'

afterEach(() => void vi.useRealTimers())

/** Recordings over a real store, and over real capture by default. */
async function setupOf(changes: Partial<MeetingStore> = {}, fake?: Capture) {
  const { home, remove } = temporaryHome()
  const store = await openStore(storeOptions(home))
  const log = memoryLog()
  const live: boolean[] = []
  const meetings = { ...store.meetings, ...changes }
  const capture: Capture =
    fake ?? startCapture(home, { onProgress: (update) => recordings.progress(update) }).capture
  const announcer = createAnnouncer(
    (meetingId) => meetings.get(meetingId),
    () => undefined,
    later,
    log,
  )
  let serial = 0
  const recordings = createRecordings({
    store: meetings,
    capture,
    watch: { nudge: () => undefined },
    announcer,
    clock: () => Date.now(),
    ids: () => `id-${++serial}`,
    log,
    activeAccountId: () => 'this-computer',
    onLibrary: () => undefined,
    onProgress: () => undefined,
    onLive: (is) => void live.push(is),
  })
  onTestFinished(async () => {
    vi.useRealTimers()
    announcer.close()
    await recordings.shutdown()
    await store.close()
    remove()
  })
  return { home, store, capture, recordings, live, log }
}

const request = { roles: ['mic' as const], sampleRate: 8000, labels: ['Mic'] }
const second = new Uint8Array(16_000)

test('takes gaps from the journal after the end, including filled ones, without duplicates', async () => {
  const { recordings, capture, store } = await setupOf()
  const id = await recordings.begin(request)
  await put(capture, id, 0, second)
  const gap = { type: 'gap', atMs: 1000, endMs: 3000, channel: null, reason: 'suspended' } as const
  await recordings.event(id, gap)
  await recordings.event(id, gap)
  await put(capture, id, '24000 fill', second)
  await put(capture, id, '40000 fill', second)
  await recordings.stop(id, 6000)
  const meeting = store.meetings.get(id)
  expect(meeting?.gaps.map(({ startMs, endMs, reason }) => [startMs, endMs, reason])).toEqual([
    [1000, 3000, 'suspended'],
    [4000, 5000, 'lost'],
  ])
  expect(meeting?.completeness).toMatchObject({ gapsMs: 3000, writtenMs: 6000, recordedMs: 6000 })
})

test('lists a recording again if its library is replaced, unnoticed by the page', async () => {
  const { recordings, capture, store } = await setupOf()
  const id = await recordings.begin(request)
  await put(capture, id, 0, second)
  store.erase()
  expect(store.meetings.get(id)).toBeUndefined()
  await vi.waitFor(
    async () => {
      const { frames } = await put(capture, id, 0, second).then((reply) =>
        reply.ok ? reply.data : { frames: -1 },
      )
      expect((await put(capture, id, frames, second)).ok).toBe(true)
      expect(store.meetings.get(id)?.state).toBe('recording')
    },
    { timeout: 90_000, interval: 200 },
  )
  await recordings.stop(id, null)
  expect(store.meetings.get(id)?.state).toBe('stopped')
})

test('does not start a recording that cannot be listed, and leaves nothing running', async () => {
  let tries = 0
  const { recordings, home, live, store } = await setupOf({
    create() {
      tries += 1
      throw new AppError('READ_ONLY', 'The library may only be looked at')
    },
  })
  await expect(recordings.begin(request)).rejects.toMatchObject({ code: 'READ_ONLY' })
  expect(tries).toBeGreaterThan(1)
  expect(existsSync(join(home, 'meetings', 'id-1'))).toBe(false)
  expect(live).not.toContain(true)
  expect(store.meetings.get('id-1')).toBeUndefined()
})

test('stops following a recording discarded while live, and does not list it again', async () => {
  const { recordings, capture, store, live } = await setupOf()
  const [one, other] = [await recordings.begin(request), await recordings.begin(request)]
  await capture.remove([one])
  recordings.letGo()
  expect(live.at(-1)).toBe(true)
  await capture.erase()
  recordings.letGo()
  expect(live.at(-1)).toBe(false)
  store.erase()
  for (const id of [one, other]) expect((await put(capture, id, 0, second)).ok).toBe(false)
  expect(store.meetings.inState(['recording', 'stopped'])).toEqual([])
})

test('ends a pause after a day, because its page must be gone', async () => {
  const open = new Set<string>()
  const capture = {
    begin: async ({ id }: { id: string }) => void open.add(id),
    event: async () => undefined,
    isLive: (id: string) => open.has(id),
    gaps: async () => [],
    stop: async (id: string) => (open.delete(id), { writtenMs: 500 }),
    shutdown: async () => undefined,
  } as unknown as Capture
  const { recordings, store, live } = await setupOf({}, capture)
  const id = await recordings.begin(request)
  vi.useFakeTimers()
  await recordings.event(id, { type: 'paused', atMs: 500 })
  await vi.advanceTimersByTimeAsync(23 * 3_600_000)
  expect([open.size, live.at(-1)]).toEqual([1, true])
  await vi.advanceTimersByTimeAsync(2 * 3_600_000)
  expect([open.size, live.at(-1)]).toEqual([0, false])
  expect(store.meetings.get(id)?.state).toBe('stopped')
})

test('a recovered recording becomes a finished one of the same length when its user keeps it', async () => {
  const { recordings, capture, store } = await setupOf()
  const id = await recordings.begin(request)
  await put(capture, id, 0, second)
  await recordings.shutdown()
  expect(store.meetings.get(id)).toMatchObject({ state: 'interrupted', durationMs: 1000 })
  await recordings.stop(id, null)
  expect(store.meetings.get(id)).toMatchObject({ state: 'stopped', durationMs: 1000 })
})

test('continues a recording of an ended process after its audio at the request of its page', async () => {
  const { home, store, recordings, capture, log } = await setupOf()
  const id = await recordings.begin(request)
  await put(capture, id, 0, second)

  // The next process: it only has what the first one wrote.
  const live: boolean[] = []
  const next = startCapture(home, { run: 'run-2', onProgress: (update) => again.progress(update) })
  const announcer = createAnnouncer(
    (meetingId) => store.meetings.get(meetingId),
    () => undefined,
    later,
    log,
  )
  const again = createRecordings({
    store: store.meetings,
    capture: next.capture,
    watch: { nudge: () => undefined },
    announcer,
    clock: () => Date.now(),
    ids: () => 'gap',
    log,
    activeAccountId: () => 'this-computer',
    onLibrary: () => undefined,
    onProgress: () => undefined,
    onLive: (is) => void live.push(is),
  })
  onTestFinished(async () => {
    announcer.close()
    await again.shutdown()
  })
  const recovering = again.recover()
  await again.reopen(id)
  await recovering
  expect(store.meetings.get(id)).toMatchObject({ state: 'recording' })
  expect(live).toEqual([true])
  await again.reopen(id)
  await put(next.capture, id, 8000, second)
  await again.stop(id, 2000)
  expect(store.meetings.get(id)).toMatchObject({ state: 'stopped', durationMs: 2000, gaps: [] })
  await expect(again.reopen(id)).rejects.toMatchObject({ code: 'REFUSED' })
  await expect(again.reopen('no-such-recording-0001')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
