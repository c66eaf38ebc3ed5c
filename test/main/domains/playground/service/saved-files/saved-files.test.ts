import { afterEach, beforeEach, expect, test } from 'vitest'
import { AppError } from '../../../../../../src/main/errors.ts'
import {
  createMediaFiles,
  type MediaFiles,
} from '../../../../../../src/main/platform/files/files.ts'
import type { RemoteDeps } from '../../../../../../src/main/platform/security/remote-fetch.ts'
import {
  createSavedFiles,
  inlineAddress,
  type SavedFiles,
} from '../../../../../../src/main/domains/playground/service/saved-files/saved-files.ts'
import { openStore } from '../../../../../../src/main/library-database/open.ts'
import type { Store } from '../../../../../../src/main/library-database/store.ts'
import { presets } from '../../../../../../src/shared/provider/profiles.ts'
import type { SavedRole } from '../../../../../../src/shared/model/saved-file.ts'
import { createWorkQueue } from '../../../../../../src/main/work-queue/work-queue.ts'
import { eventually } from '../../../../../fixtures/eventually.ts'
import {
  startScriptedServer,
  type ScriptedReply,
  type ScriptedServer,
} from '../../../../../fixtures/scripted-server.ts'
import { sineWav } from '../../../../../fixtures/wav.ts'
import { memoryLog, storeOptions, temporaryHome } from '../../../../platform/database/fixture.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)
const mp4 = Buffer.concat([
  Buffer.from([0, 0, 0, 24]),
  Buffer.from('ftypisom\0\0\0\0isommp42'),
  Buffer.alloc(100),
])
const maxBytes = 4096

let home: ReturnType<typeof temporaryHome>
let server: ScriptedServer
let store: Store
let files: MediaFiles
let savedFiles: SavedFiles
let now: number
let timers: { readonly at: number; readonly work: () => void }[]
let reported: string[]
/** Connected addresses, as pinned. */
let requests: string[]
let inlined: Uint8Array | null
let offline: boolean

/** Simulated public hosts: their names resolve here, their bytes are from the scripted server. */
const hosts: Readonly<Record<string, string>> = {
  'files.example.org': '93.184.216.34',
  'inside.example.org': '10.0.0.7',
  'own.example.org': '10.0.0.9',
}
const remote: RemoteDeps = {
  resolve: async (host) => {
    const address = hosts[host]
    if (offline || address === undefined) throw new Error('ENOTFOUND')
    return [{ address, family: 4 }]
  },
  async get(address, { pinned, signal }) {
    requests.push(pinned[0]?.address ?? '')
    const { pathname } = new URL(address)
    const reply = await fetch(server.url + pathname, { redirect: 'manual', signal })
    return { status: reply.status, headers: reply.headers, body: reply.body }
  },
}

async function open(): Promise<void> {
  store = await openStore({ ...storeOptions(home.home), clock: () => now })
  files = createMediaFiles({ home: home.home, clock: () => now, store })
  const clock = (): number => now
  const log = memoryLog()
  const after = (ms: number, work: () => void): (() => void) => {
    const timer = { at: now + ms, work }
    timers.push(timer)
    return () => void (timers = timers.filter((one) => one !== timer))
  }
  savedFiles = createSavedFiles({
    store,
    files,
    remote,
    // An account with a key: the user entered it for this host.
    accounts: {
      target: async (id) => ({ baseUrl: store.accounts.get(id)?.profile.baseUrl }) as never,
    },
    clock,
    log,
    workQueue: createWorkQueue({ clock, log, random: () => 0, after }),
    inline: () => inlined,
    emit(event) {
      if (event.type === 'files.changed') reported.push(event.ownerId)
    },
    maxBytes,
    maxReplyBytes: 3 * maxBytes,
  })
}

beforeEach(async () => {
  home = temporaryHome()
  server = await startScriptedServer()
  now = Date.UTC(2026, 0, 1)
  ;[timers, reported, requests, inlined, offline] = [[], [], [], null, false]
  await open()
  const own = { ...presets.bigmodel, baseUrl: 'http://own.example.org:8123/api' }
  store.accounts.put({ id: 'own', preset: 'custom', name: 'Own', profile: own, createdAt: now })
})
afterEach(async () => {
  await savedFiles.shutdown()
  await store.close()
  await server.close()
  home.remove()
})

const gives = (type: string, body: Uint8Array | string, more: ScriptedReply = {}): void =>
  server.always({ headers: { 'content-type': type }, body, ...more })
/** Requests one file and waits until it was tried. */
async function want(
  role: SavedRole,
  address = 'https://files.example.org/thing',
  accountId = 'a1',
): Promise<ReturnType<SavedFiles['of']>[number]> {
  const before = reported.length
  store.transaction(() =>
    savedFiles.want('task', accountId, [{ role, place: 0, address, name: `${role}.bin` }]),
  )
  savedFiles.kick()
  await eventually(() => expect(reported.length).toBeGreaterThan(before))
  const [file] = savedFiles.of('task')
  if (!file) throw new Error('nothing is wanted')
  return file
}

test('starts nothing after everything was stopped until the next file is wanted', async () => {
  gives('image/png', png)
  await savedFiles.stopAll()
  const wanted = [{ role: 'image', place: 0, address: 'https://files.example.org/a', name: 'a' }]
  store.transaction(() =>
    savedFiles.want('task', 'a1', wanted as Parameters<SavedFiles['want']>[2]),
  )
  savedFiles.wake()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(requests).toEqual([])
  savedFiles.kick()
  await eventually(() => expect(savedFiles.of('task')[0]?.state).toBe('kept'))
})

test('saves a file by its content hash, in use as long as its owner exists', async () => {
  gives('image/png', png)
  const file = await want('image')
  expect(file).toMatchObject({ state: 'kept', mime: 'image/png', bytes: png.length, error: null })
  const mediaId = file.mediaId ?? ''
  expect(store.media.remove(mediaId)).toBe(false)
  expect(store.savedFiles.remove('task')).toEqual([mediaId])
  await savedFiles.drop([mediaId])
  expect(store.media.get(mediaId)).toBeUndefined()
})

test('does not save an image that expands to gigabytes in the window', async () => {
  const bomb = Buffer.from(png)
  bomb.writeUInt32BE(30_000, 16)
  bomb.writeUInt32BE(30_000, 20)
  gives('image/png', bomb)
  expect(await want('image')).toMatchObject({
    state: 'missing',
    error: { code: 'LIMIT_EXCEEDED', params: { what: 'pixels' } },
  })
  expect(store.media.orphans(now + 1)).toEqual([])
})

/** Runs planned work until there is none; returns the pauses in milliseconds. */
async function toTheEnd(): Promise<readonly number[]> {
  const pauses: number[] = []
  while (timers.length > 0) {
    const before = reported.length
    const [timer] = timers.splice(0)
    pauses.push((timer?.at ?? now) - now)
    now = timer?.at ?? now
    timer?.work()
    await eventually(() => expect(reported.length).toBeGreaterThan(before))
    await eventually(() =>
      expect(timers.length > 0 || savedFiles.of('task')[0]?.state !== 'waiting').toBe(true),
    )
  }
  return pauses
}

test.each([403, 404, 429, 503])(
  'retries a link without a file yet (%i) with growing pauses, then reports its status',
  async (status) => {
    gives('application/json', '{}', { status })
    expect(await want('video')).toMatchObject({ state: 'waiting' })
    const pauses = await toTheEnd()
    expect(pauses).toEqual([5000, 10_000, 20_000, 40_000, 80_000])
    const [file] = savedFiles.of('task')
    expect(file).toMatchObject({ state: 'missing', error: { code: 'SERVICE_FAILED' } })
    expect(file?.error?.service?.status).toBe(status)
    gives('video/mp4', mp4)
    savedFiles.retry('task')
    await eventually(() => expect(savedFiles.of('task')).toMatchObject([{ state: 'kept' }]))
  },
)

test('reports a permanently gone link (410) as missing immediately', async () => {
  gives('application/json', '{}', { status: 410 })
  expect(await want('video')).toMatchObject({ state: 'missing' })
  expect(timers).toEqual([])
})

test('reports a full disk, and fetches the file when there is space again', async () => {
  gives('video/mp4', mp4)
  let full = true
  const { intake } = files
  Object.assign(files, {
    intake: (...taken: Parameters<MediaFiles['intake']>) =>
      full ? Promise.reject(new AppError('DISK_FULL', 'No room')) : intake(...taken),
  })
  expect(await want('video')).toMatchObject({ state: 'waiting', error: { code: 'DISK_FULL' } })
  full = false
  await toTheEnd()
  expect(savedFiles.of('task')).toMatchObject([{ state: 'kept', error: null }])
})

test('retries a file that fails for a local reason with growing pauses, then reports it missing', async () => {
  gives('video/mp4', mp4)
  const { intake } = files
  Object.assign(files, {
    intake: (...taken: Parameters<MediaFiles['intake']>) =>
      taken[1] === 'video.bin' ? Promise.reject(new Error('EIO')) : intake(...taken),
  })
  expect(await want('video')).toMatchObject({ state: 'waiting', error: { code: 'INTERNAL' } })
  const pauses = await toTheEnd()
  expect(pauses).toEqual([5000, 10_000, 20_000, 40_000, 80_000])
  expect(savedFiles.of('task')).toMatchObject([{ state: 'missing', error: { code: 'INTERNAL' } }])
})

test('does not fetch a file again, whoever requests it, while its failure cannot be saved', async () => {
  gives('text/plain', 'busy', { status: 503 })
  const { fail } = store.savedFiles
  let isBusy = true
  let writes = 0
  Object.assign(store.savedFiles, {
    fail: (...given: Parameters<typeof fail>) => {
      writes += 1
      if (isBusy) throw new AppError('DATABASE_BUSY', 'Busy', { retriable: true })
      fail(...given)
    },
  })
  store.transaction(() =>
    savedFiles.want('task', 'a1', [
      { role: 'video', place: 0, address: 'https://files.example.org/v', name: 'v.mp4' },
    ]),
  )
  savedFiles.kick()
  await eventually(() => expect(writes).toBeGreaterThan(2))
  // Another response in between is no reason to fetch it once more.
  savedFiles.kick()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(requests).toHaveLength(1)
  isBusy = false
  await eventually(() => expect(reported).toHaveLength(1))
  expect(savedFiles.of('task')).toMatchObject([
    { state: 'waiting', error: { code: 'DATABASE_BUSY' } },
  ])
  gives('video/mp4', mp4)
  now += 4_999
  savedFiles.kick()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(requests).toHaveLength(1)
  now += 1
  savedFiles.kick()
  await eventually(() => expect(savedFiles.of('task')).toMatchObject([{ state: 'kept' }]))
})

test.each([
  { cutAfter: 60 },
  { cutAfter: 60, cutBy: 'reset' },
  { contentLength: 400, cutAfter: 60 },
] as const)('never saves a partial file: %j', async (fault) => {
  gives('video/mp4', mp4, fault)
  expect(await want('video')).toMatchObject({ state: 'waiting', mediaId: null })
  expect(store.media.orphans(Number.MAX_SAFE_INTEGER)).toEqual([])
  gives('video/mp4', mp4)
  await toTheEnd()
  expect(savedFiles.of('task')).toMatchObject([{ state: 'kept', bytes: mp4.length }])
})

test.each([
  ['video', 'text/html', '<html>expired</html>'],
  ['file', 'text/html; charset=utf-8', '<html>expired</html>'],
  ['video', 'video/mp4', png],
  ['image', 'application/octet-stream', mp4],
] as const)('rejects content that is not a %s: announced as %s', async (role, type, body) => {
  gives(type, body)
  expect(await want(role)).toMatchObject({ state: 'missing', error: { code: 'REFUSED' } })
  expect(store.media.orphans(Number.MAX_SAFE_INTEGER)).toEqual([])
})

test('stops a too large file, by its announced length and by its bytes', async () => {
  const large = Buffer.concat([mp4, Buffer.alloc(maxBytes)])
  gives('video/mp4', large)
  expect(await want('video')).toMatchObject({
    state: 'missing',
    error: { code: 'FILE_TOO_LARGE', params: { limit: maxBytes } },
  })
  server.always({
    headers: { 'content-type': 'video/mp4', 'transfer-encoding': 'chunked' },
    body: large,
    splitAt: [100, 2000, 4000],
  })
  savedFiles.retry('task')
  await eventually(() => expect(reported).toHaveLength(2))
  expect(savedFiles.of('task')).toMatchObject([
    { state: 'missing', error: { code: 'FILE_TOO_LARGE' } },
  ])
  expect(store.media.orphans(Number.MAX_SAFE_INTEGER)).toEqual([])
})

test.each([
  ['http://127.0.0.1/secret', 'a private address'],
  ['https://inside.example.org/secret', 'a hostname with a private address'],
  ['file:///etc/passwd', 'not a web address'],
])('%s is never contacted: %s, directly or by a redirect', async (address) => {
  expect(await want('image', address)).toMatchObject({
    state: 'missing',
    error: { code: 'REFUSED' },
  })
  expect(requests).toEqual([])
  server.always({ status: 302, headers: { location: address } })
  expect(await want('image')).toMatchObject({ state: 'missing', error: { code: 'REFUSED' } })
  expect(requests).toEqual(['93.184.216.34'])
})

test("allows a private account host only for that account's own responses", async () => {
  gives('image/png', png)
  expect(await want('image', 'http://own.example.org:8123/a.png', 'other')).toMatchObject({
    state: 'missing',
  })
  expect(requests).toEqual([])
  expect(await want('image', 'http://own.example.org:8123/a.png', 'own')).toMatchObject({
    state: 'kept',
  })
  expect(requests).toEqual(['10.0.0.9'])
})

test('saves audio embedded in the response, and rejects other content', async () => {
  inlined = sineWav({ seconds: 0.02, hz: 300 })
  expect(await want('audio', inlineAddress)).toMatchObject({ state: 'kept', mime: 'audio/wav' })
  store.savedFiles.remove('task')
  inlined = Buffer.from('no sound at all')
  expect(await want('audio', inlineAddress)).toMatchObject({ state: 'missing' })
})

test('waits without a network, also across a restart, and fetches when due', async () => {
  offline = true
  expect(await want('video')).toMatchObject({ state: 'waiting', error: { code: 'OFFLINE' } })
  expect(timers.length).toBeGreaterThan(0)
  await savedFiles.shutdown()
  await store.close()
  timers = []
  await open()
  offline = false
  gives('video/mp4', mp4)
  savedFiles.kick()
  await eventually(() => expect(timers).toHaveLength(1))
  const [timer] = timers.splice(0)
  expect(timer?.at).toBeGreaterThan(now)
  now = timer?.at ?? now
  timer?.work()
  await eventually(() => expect(savedFiles.of('task')).toMatchObject([{ state: 'kept' }]))
})

test('retries a file that breaks off or a busy host, up to six times', async () => {
  gives('video/mp4', mp4, { cutAfter: 50 })
  expect(await want('video')).toMatchObject({ state: 'waiting', error: { code: 'OFFLINE' } })
  gives('text/plain', 'busy', { status: 503 })
  for (let tries = 2; tries <= 6; tries++) {
    const [timer] = timers.splice(0)
    now = timer?.at ?? now
    timer?.work()
    await eventually(() => expect(reported).toHaveLength(tries))
  }
  expect(savedFiles.of('task')).toMatchObject([
    { state: 'missing', error: { code: 'SERVICE_FAILED' } },
  ])
})

test('a new URL replaces one that was not saved, but not a saved one', async () => {
  gives('text/plain', '', { status: 404 })
  await want('image', 'https://files.example.org/old.png')
  gives('image/png', png)
  const file = await want('image', 'https://files.example.org/new.png')
  expect(file).toMatchObject({ state: 'kept', address: 'https://files.example.org/new.png' })
  store.transaction(() =>
    savedFiles.want('task', 'a1', [
      { role: 'image', place: 0, address: 'https://files.example.org/newer.png', name: 'x' },
    ]),
  )
  expect(savedFiles.of('task')).toEqual([file])
})

test('limits the total size of all files of one response', async () => {
  const many = (ownerId: string): void =>
    store.transaction(() =>
      savedFiles.want(
        ownerId,
        'a1',
        Array.from({ length: 8 }, (_, place) => ({
          role: 'video' as const,
          place,
          // Each has different bytes.
          address: `https://files.example.org/${ownerId}/${place}`,
          name: `${place}.mp4`,
        })),
      ),
    )
  server.always(({ url }) => ({
    headers: { 'content-type': 'video/mp4' },
    body: Buffer.concat([mp4, Buffer.alloc(maxBytes - mp4.length, url)]),
  }))
  many('one')
  savedFiles.kick()
  await eventually(() => expect(reported.length).toBe(8))
  const states = savedFiles.of('one').map(({ state }) => state)
  // Three are fetched at a time: those started together may exceed it together.
  expect(states.filter((state) => state === 'kept').length).toBeLessThanOrEqual(5)
  expect(savedFiles.of('one').at(-1)).toMatchObject({
    state: 'missing',
    error: { code: 'FILE_TOO_LARGE' },
  })
  // Files of another response have their own limit.
  many('two')
  savedFiles.kick()
  await eventually(() => expect(reported.length).toBe(16))
  expect(savedFiles.of('two')[0]?.state).toBe('kept')
})

test('postpones a very slow file so that others are fetched', async () => {
  gives('video/mp4', mp4, { splitAt: [60, 100], betweenMs: 300 })
  const waiting = want('video')
  await eventually(() => expect(server.requests).toHaveLength(1))
  await new Promise((resolve) => setTimeout(resolve, 150))
  now += 121_000
  expect(await waiting).toMatchObject({ state: 'waiting', error: { code: 'TIMEOUT' } })
})
