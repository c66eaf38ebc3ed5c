import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../../../../src/main/errors.ts'
import { later } from '../../../../../src/main/long-timeout.ts'
import { createAnnouncer } from '../../../../../src/main/platform/bridge/announcer.ts'
import {
  createImports,
  type ImportsDeps,
} from '../../../../../src/main/domains/audio/service/imports.ts'
import type { AudioWork } from '../../../../../src/main/domains/audio/service/audio-worker.ts'
import { openStore } from '../../../../../src/main/library-database/open.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import { row, transcriptionSetup } from './transcription/transcription-setup.ts'
import {
  aMedia,
  memoryLog,
  storeOptions,
  temporaryHome,
} from '../../../platform/database/fixture.ts'

type ReadIn = AudioWork['readIn']

/** Imports over a real store; `readIn` replaces the program off the main thread. */
async function setupOf(readIn: ReadIn) {
  const { home, remove } = temporaryHome()
  const store = await openStore(storeOptions(home))
  const log = memoryLog()
  const trouble = { now: false }
  const update: typeof store.meetings.update = (id, patch) => {
    if (trouble.now) throw new AppError('DATABASE_BUSY', 'Somebody else writes')
    store.meetings.update(id, patch)
  }
  const announcer = createAnnouncer(
    (id) => store.meetings.get(id),
    () => undefined,
    later,
    log,
  )
  let serial = 0
  const complete: string[] = []
  const deps = {
    store: { ...store, meetings: { ...store.meetings, update } },
    files: { path: async () => '/nowhere' },
    audio: { readIn },
    watch: { nudge: () => undefined, forget: async () => undefined },
    announcer,
    onComplete: (id: string) => void complete.push(id),
    clock: () => 1,
    ids: () => `id-${++serial}`,
    log,
    activeAccountId: () => 'this-computer',
    onLibrary: () => undefined,
  } as unknown as ImportsDeps
  const open: { shutdown(): Promise<void> }[] = []
  onTestFinished(async () => {
    for (const each of open) await each.shutdown()
    announcer.close()
    await store.close()
    remove()
  })
  store.media.put(aMedia('file', 1))
  return {
    store,
    trouble,
    complete,
    begin() {
      const imports = createImports(deps)
      open.push(imports)
      return imports
    },
  }
}

const stereo = { roles: ['left', 'right'], sampleRate: 16_000, seconds: 4 } as const

test('a temporary store failure does not fail the file: the next step writes the missing data', async () => {
  const setup = await setupOf(async (_, on) => {
    setup.trouble.now = true
    on.opened(stereo)
    on.step(2000)
    setup.trouble.now = false
    on.step(3000)
    return { durationMs: 4000 }
  })
  const { id } = await setup.begin().start({ mediaId: 'file', channels: 'auto' })
  const done = await eventually(() => {
    const meeting = setup.store.meetings.get(id)
    if (meeting?.state === 'importing') throw new Error('still read in')
    return meeting
  })
  expect(done).toMatchObject({
    state: 'stopped',
    error: null,
    channels: ['left', 'right'],
    durationMs: 4000,
  })
  expect(setup.complete).toEqual([id])
})

test('a file that cannot be imported completes too: nothing waits for its audio any longer', async () => {
  const setup = await setupOf(async () => {
    throw new AppError('UNSUPPORTED_FORMAT', 'Not audio')
  })
  const { id } = await setup.begin().start({ mediaId: 'file', channels: 'auto' })
  await eventually(() => expect(setup.store.meetings.get(id)?.state).toBe('import-failed'))
  await eventually(() => expect(setup.complete).toEqual([id]))
})

test('a file restarted after an app restart keeps the channels that were transcribed', async () => {
  const requests: string[] = []
  let cut = true
  const setup = await setupOf(async ({ channels }, on, signal) => {
    requests.push(channels)
    on.opened({ ...stereo, roles: channels === 'mix' ? ['mono'] : stereo.roles })
    on.step(2000)
    if (cut) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    signal.throwIfAborted()
    return { durationMs: 4000 }
  })
  const first = setup.begin()
  const { id } = await first.start({ mediaId: 'file', channels: 'mix' })
  await eventually(() => expect(setup.store.meetings.get(id)?.durationMs).toBe(2000))
  await first.shutdown()
  cut = false
  setup.begin().resume()
  await eventually(() => expect(setup.store.meetings.get(id)?.state).toBe('stopped'))
  expect(requests).toEqual(['mix', 'mix'])
  expect(setup.store.meetings.get(id)?.channels).toEqual(['mono'])
})

test('imports a short file in parallel with a long one, and before other long ones', async () => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const setup = await setupOf(async ({ title }, on, signal) => {
    begun.push(title)
    on.opened(stereo)
    if (title.startsWith('long'))
      await new Promise<void>((resolve) => {
        ends.push(resolve)
        signal.addEventListener('abort', () => resolve())
      })
    return { durationMs: 4000 }
  })
  const imports = setup.begin()
  const take = async (name: string, bytes: number): Promise<string> => {
    setup.store.media.put({ ...aMedia(name, 1), name: `${name}.wav`, bytes })
    return (await imports.start({ mediaId: name, channels: 'auto' })).id
  }
  for (const name of ['long-1', 'long-2', 'long-3']) await take(name, 40_000_000)
  const short = [await take('short-1', 200_000), await take('short-2', 200_000)]
  await eventually(() => {
    for (const id of short) expect(setup.store.meetings.get(id)?.state).toBe('stopped')
  })
  expect(begun).toEqual(['long-1', 'short-1', 'short-2'])
  expect(setup.store.meetings.inState(['importing'])).toHaveLength(3)
  await eventually(() => {
    for (const end of ends) end()
    expect(setup.store.meetings.inState(['importing'])).toEqual([])
  })
})

test.each(['CANCELLED', 'LEFT_UNFINISHED'] as const)(
  'sends nothing of a meeting whose import fails while it waits for the user (%s)',
  async (code) => {
    const setup = await transcriptionSetup()
    const { store, transcription } = setup
    store.media.put(aMedia('file', 1))
    const id = setup.meeting(row(1), { state: 'importing', mediaId: 'file' })
    store.meetings.update(id, { error: { code, message: '', retriable: false, at: 1 } })
    const announcer = createAnnouncer(
      (one) => store.meetings.get(one),
      () => undefined,
      later,
      setup.log,
    )
    let isFinding = true
    const imports = createImports({
      store,
      files: { path: async () => '/nowhere' },
      audio: {
        readIn: (async (_, on) => {
          on.step(10_000)
          throw new AppError('UNSUPPORTED_FORMAT', 'Not audio after ten seconds')
        }) satisfies ReadIn,
      },
      watch: { nudge: () => undefined, forget: async () => void (isFinding = false) },
      announcer,
      stopTranscription: (stopped: string) => transcription.stop(stopped),
      onComplete: (complete: string) => transcription.nudge(complete),
      clock: () => setup.now,
      log: setup.log,
      onLibrary: () => undefined,
    } as unknown as ImportsDeps)
    onTestFinished(async () => {
      await imports.shutdown()
      announcer.close()
    })
    imports.resume()
    await eventually(() => expect(store.meetings.get(id)?.state).toBe('import-failed'))
    await eventually(() => expect(imports.busy()).toBe(false))
    await setup.quiet()
    expect(setup.requests).toEqual([])
    expect(isFinding).toBe(false)
    expect(setup.segments(id)).toMatchObject([{ state: 'failed', error: { code: 'CANCELLED' } }])
    expect(store.meetings.get(id)?.error).toMatchObject({ code: 'UNSUPPORTED_FORMAT' })
  },
)
