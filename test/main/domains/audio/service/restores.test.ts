import { writeFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createMediaFiles } from '../../../../../src/main/platform/files/files.ts'
import { later } from '../../../../../src/main/long-timeout.ts'
import { createAnnouncer } from '../../../../../src/main/platform/bridge/announcer.ts'
import { createMeetingExports } from '../../../../../src/main/domains/audio/exports/exports.ts'
import {
  createImports,
  type ImportsDeps,
} from '../../../../../src/main/domains/audio/service/imports.ts'
import type { MeetingRestore } from '../../../../../src/main/domains/audio/store/meetings-types.ts'
import { openStore } from '../../../../../src/main/library-database/open.ts'
import type { MeetingJson } from '../../../../../src/shared/contract/meeting-json.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import { jsonMeeting } from '../../../app/meeting-json.ts'
import { memoryLog, storeOptions, temporaryHome } from '../../../platform/database/fixture.ts'
import { workerUrl } from '../../../../fixtures/worker-url.ts'

/** A meeting with the given number of segments, each with one transcription and one line. */
function longMeeting(count: number): MeetingJson {
  const base = jsonMeeting()
  const [segment] = base.segments
  const [version] = base.readings
  const [line] = base.lines
  if (!segment || !version || !line) throw new Error('the meeting is empty')
  const all = Array.from({ length: count }, (_, at) => at)
  const span = (at: number) => ({ startMs: at * 4000, endMs: at * 4000 + 3000 })
  return jsonMeeting({
    durationMs: count * 4000,
    segments: all.map((at) => ({ ...segment, id: `g${at}`, ...span(at), readingId: `r${at}` })),
    readings: all.map((at) => ({ ...version, id: `r${at}`, segmentId: `g${at}` })),
    lines: all.map((at) => ({ ...line, id: `l${at}`, segmentId: `g${at}`, ...span(at) })),
    summaries: [],
  })
}

/** Imports over a real store and the real worker; `onStep` is called before every step of the store. */
async function setupOf(json: MeetingJson) {
  const { home, remove } = temporaryHome()
  const store = await openStore(storeOptions(home))
  const log = memoryLog()
  const files = createMediaFiles({ home, store, clock: () => 1 })
  const bytes = new TextEncoder().encode(JSON.stringify(json))
  const media = await files.intake(new Blob([bytes]).stream(), 'x.json', bytes.length)
  const on = { step: (_step: string, _rows: number): void => undefined }
  const restoring: typeof store.meetings.restoring = (...args) => {
    const real = store.meetings.restoring(...args)
    const watched: MeetingRestore = {
      clear() {
        on.step('clear', 0)
        return real.clear()
      },
      put(page) {
        on.step(page.list, page.rows.length)
        real.put(page)
      },
      finish(original) {
        on.step('finish', 0)
        return real.finish(original)
      },
    }
    return watched
  }
  let reported = 0
  const announcer = createAnnouncer(
    (id) => store.meetings.get(id),
    () => (reported += 1),
    later,
    log,
  )
  let serial = 0
  const open: { close(): Promise<void> }[] = []
  onTestFinished(async () => {
    for (const each of open) await each.close()
    announcer.close()
    await store.close()
    remove()
  })
  return {
    store,
    media,
    on,
    path: () => files.path(media.id),
    reported: () => reported,
    begin() {
      const ids = (): string => `id-${(serial += 1)}`
      const exports = createMeetingExports({
        home,
        version: '1.0.0',
        workerUrl,
        store,
        files,
        audio: { writeAudio: () => Promise.reject(new Error('no sound is asked for')) },
        ids,
        log: { warn() {} },
      })
      const imports = createImports({
        store: { ...store, meetings: { ...store.meetings, restoring } },
        files,
        exports,
        announcer,
        clock: () => 1,
        ids,
        log,
        activeAccountId: () => 'this-computer',
        onLibrary: () => undefined,
      } as unknown as ImportsDeps)
      open.push({
        async close() {
          await imports.shutdown()
          await exports.close()
        },
      })
      return imports
    },
  }
}

test('stores a long JSON file in small steps, yielding to the event loop between them', async () => {
  const setup = await setupOf(longMeeting(1000))
  const steps: { readonly list: string; readonly rows: number; readonly turn: number }[] = []
  let turns = 0
  let active = true
  const turn = (): void => {
    turns += 1
    if (active) setImmediate(turn)
  }
  turn()
  setup.on.step = (list, rows) => {
    steps.push({ list, rows, turn: turns })
    const [id = ''] = setup.store.meetings.inState(['importing'])
    expect(id).not.toBe('')
  }
  const { id } = await setup.begin().start({ mediaId: setup.media.id, channels: 'auto' })
  active = false
  expect(Math.max(...steps.map(({ rows }) => rows))).toBeLessThanOrEqual(200)
  expect(steps.length).toBeGreaterThan(15)
  expect(new Set(steps.map((step) => step.turn)).size).toBe(steps.length)
  expect(setup.reported()).toBe(2)
  const meeting = setup.store.meetings.get(id)
  expect(meeting).toMatchObject({ state: 'stopped', hasAudio: false, originalMediaId: null })
  expect(meeting?.completeness.segments).toBe(1000)
  expect(setup.store.meetings.lines(id)).toHaveLength(1000)
})

test('restarts an interrupted import at the next start, without duplicates', async () => {
  const setup = await setupOf(longMeeting(500))
  for (const cutAt of ['readings', 'lines', 'finish']) {
    const first = setup.begin()
    const cut = Promise.withResolvers<void>()
    setup.on.step = (list) => {
      if (list === cutAt) cut.resolve(first.shutdown())
    }
    if (cutAt === 'readings') void first.start({ mediaId: setup.media.id, channels: 'auto' })
    else first.resume()
    await cut.promise
    expect(setup.store.meetings.inState(['importing'])).toHaveLength(1)
  }
  const [id = ''] = setup.store.meetings.inState(['importing'])
  setup.on.step = () => undefined
  setup.begin().resume()
  await eventually(() => expect(setup.store.meetings.get(id)?.state).toBe('stopped'))
  const meeting = setup.store.meetings.get(id)
  expect(meeting?.completeness).toMatchObject({ segments: 500, segmentsMs: 1_500_000, failed: 0 })
  expect(meeting?.speakers.map(({ name }) => name)).toEqual(['Ada'])
  expect(meeting?.bookmarks).toHaveLength(1)
  expect(setup.store.meetings.lines(id)).toHaveLength(500)
  expect(
    setup.store.meetings.versions(
      id,
      setup.store.meetings.segments(id).map((one) => one.id),
    ),
  ).toHaveLength(500)
  const found = await setup.store.search.search({ query: 'words', limit: 10 })
  expect(found.hits.map(({ itemId }) => itemId)).toEqual([id])
})

test('fails if the file was damaged meanwhile, and imports it again on request', async () => {
  const json = longMeeting(300)
  const setup = await setupOf(json)
  const first = setup.begin()
  const cut = Promise.withResolvers<void>()
  setup.on.step = (list) => {
    if (list === 'lines') cut.resolve(first.shutdown())
  }
  void first.start({ mediaId: setup.media.id, channels: 'auto' })
  await cut.promise
  setup.on.step = () => undefined
  const path = await setup.path()
  await writeFile(path, '{"format":"lectern-meeting"')
  const second = setup.begin()
  second.resume()
  const [id = ''] = setup.store.meetings.inState(['importing'])
  const state = () => setup.store.meetings.get(id)
  await eventually(() => expect(state()?.state).toBe('import-failed'))
  expect(state()?.error?.code).toBe('DAMAGED_FILE')
  const mediaId = state()?.originalMediaId ?? ''
  await writeFile(path, JSON.stringify(json))
  expect(await second.start({ mediaId, channels: 'auto' })).toEqual({ id, known: true })
  await eventually(() => expect(state()?.state).toBe('stopped'))
  expect(setup.store.meetings.lines(id)).toHaveLength(300)
})
