import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, expect, test } from 'vitest'
import type { Reply } from '../../../../../src/shared/contract/reply.ts'
import type { ArchiveReply } from '../../../../../src/shared/contract/transport.ts'
import type { ArchiveJob } from '../../../../../src/shared/model/archive.ts'
import { localHeader } from '../../../../../src/main/platform/zip/zip-format.ts'
import { removal } from '../../../../../src/system/file-moves.ts'
import { memoryKeychain, testApp, type TestApp } from '../../../../fixtures/app.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import { sineWav } from '../../../../fixtures/wav.ts'

const settings = {
  kind: 'assistant',
  assistantId: '65940acff94777010aa6b796',
  model: null,
  doSample: null,
  translate: null,
} as const
const apps: TestApp[] = []
afterEach(async () => {
  // The last one first: it may have opened the folder of an earlier one, which Windows cannot delete while it is open.
  for (const app of apps.splice(0).toReversed()) await app.remove()
})
async function open(options: Parameters<typeof testApp>[0] = {}): Promise<TestApp> {
  const app = await testApp(options)
  apps.push(app)
  return app
}

/** Resolves when the running job ends. */
async function ended(app: TestApp): Promise<ArchiveJob> {
  for (;;) {
    const { job } = await app.call('archive.state', {})
    if (job && job.state !== 'running') return job
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
const bring = async (app: TestApp, bytes: Uint8Array, name = 'mine.zip') =>
  (await (
    await app.app.fetch(
      new Request('http://127.0.0.1/archive', {
        method: 'PUT',
        headers: { 'x-lectern-name': encodeURIComponent(name) },
        body: new Uint8Array(bytes),
      }),
    )
  ).json()) as Reply<ArchiveReply>

/** Creates items of several kinds, and a key. */
async function fill(app: TestApp, canary: string): Promise<void> {
  const account = await app.call('accounts.create', { preset: 'bigmodel', name: 'Work' })
  await app.call('accounts.setKey', { id: account.id, key: canary })
  const chat = await app.call('chats.create', { settings })
  await app.call('library.rename', { id: chat.id, title: 'Bees and lamps' })
  const dropped = await app.intake('tone.wav', sineWav({ seconds: 1, hz: 440 }))
  if (dropped.ok)
    await app.call('meetings.import', { mediaId: dropped.data.media.id, title: 'Tone' })
}
const titles = async (app: TestApp): Promise<readonly string[]> =>
  (await app.call('library.list', { limit: 50 })).items.map(({ title }) => title).toSorted()
const idle = async (app: TestApp): Promise<void> => {
  for (let n = 0; n < 200; n++) {
    const { items } = await app.call('library.list', { limit: 50 })
    const imports = items.filter(({ meeting }) => meeting !== null && meeting.state !== 'stopped')
    if (imports.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

test('exports a library from one home and imports it into another, without keys or settings', async () => {
  const canary = 'canary-0123456789abcdef.canarySecret'
  const from = await open()
  await fill(from, canary)
  await idle(from)
  await from.call('archive.export', {})
  const written = await ended(from)
  expect(written).toMatchObject({ state: 'done', written: { missing: 0, verified: true } })
  const id = written.written?.fetchId ?? ''
  const response = await from.app.fetch(new Request(`http://127.0.0.1/media/${id}`))
  expect(response.headers.get('content-disposition')).toMatch(/attachment.*lectern\.zip/)
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect(Buffer.from(bytes).includes(canary)).toBe(false)
  const range = await from.app.fetch(
    new Request(`http://127.0.0.1/media/${id}`, { headers: { range: 'bytes=0-3' } }),
  )
  expect([range.status, Buffer.from(await range.arrayBuffer()).toString('latin1')]).toEqual([
    206,
    'PK\x03\x04',
  ])

  const to = await open()
  await to.call('settings.update', { theme: 'dark' })
  expect(await bring(to, bytes)).toMatchObject({ ok: true, data: { bytes: bytes.length } })
  await to.call('archive.inspect', {})
  const inspection = await ended(to)
  expect(inspection.found?.kinds.map(({ kind, added }) => [kind, added])).toEqual([
    ['conversation', 1],
    ['meeting', 1],
  ])
  expect(await titles(to)).toEqual([])
  await to.call('archive.import', {})
  expect(await ended(to)).toMatchObject({ state: 'done', error: null })
  expect(await titles(to)).toEqual(await titles(from))
  expect((await to.call('settings.get', {})).theme).toBe('dark')
  const { hits } = await to.call('library.search', { query: 'lamps' })
  expect(hits.map(({ title }) => title)).toEqual(['Bees and lamps'])
  expect(to.events.some(({ event }) => event.type === 'library.exchanged')).toBe(true)
  expect(existsSync(join(to.home, 'archive-in'))).toBe(false)
  expect((await to.call('backups.list', {})).backups.map(({ reason }) => reason)).toEqual([
    'before-import',
  ])
  // The imported library is writable and in use.
  await to.call('chats.create', { settings })
})

test('neither shares nor deletes the key of an account whose archive is imported elsewhere', async () => {
  const keychain = memoryKeychain()
  const canary = 'canary-0123456789abcdef.canarySecret'
  const from = await open({ keychain })
  const account = await from.call('accounts.create', { preset: 'bigmodel', name: 'Work' })
  await from.call('accounts.setKey', { id: account.id, key: canary })
  await from.call('archive.export', {})
  const id = (await ended(from)).written?.fetchId ?? ''
  const written = await from.app.fetch(new Request(`http://127.0.0.1/media/${id}`))
  const bytes = new Uint8Array(await written.arrayBuffer())
  const keyed = async (app: TestApp) =>
    (await app.call('accounts.list', {})).map(({ name, key }) => [name, key.present])
  // An account that already exists keeps its key.
  await bring(from, bytes)
  await from.call('archive.import', {})
  expect((await ended(from)).error).toBeNull()
  expect(await keyed(from)).toContainEqual(['Work', true])
  const to = await open({ keychain })
  await bring(to, bytes)
  await to.call('archive.import', {})
  expect((await ended(to)).error).toBeNull()
  expect(await keyed(to)).toContainEqual(['Work', false])
  expect(await keyed(from)).toContainEqual(['Work', true])
  await from.stop()
  const again = await open({ home: from.home, keychain })
  expect(await keyed(again)).toContainEqual(['Work', true])
})

test('refuses a second export or inspection while one is running', async () => {
  const app = await open()
  await fill(app, 'canary-0123456789abcdef.canarySecret')
  const refused = async (route: string): Promise<readonly boolean[]> => {
    const replies = await Promise.all([app.raw(route, {}), app.raw(route, {})])
    expect(replies.flatMap((one) => (one.ok ? [] : [one.error.code]))).toEqual(['WORK_UNDER_WAY'])
    return replies.map(({ ok }) => ok)
  }
  await refused('archive.export')
  const done = await ended(app)
  expect(done).toMatchObject({ state: 'done', error: null })
  const written = await app.app.fetch(
    new Request(`http://127.0.0.1/media/${done.written?.fetchId}`),
    app.page,
  )
  expect(written.status).toBe(200)
  await bring(app, new Uint8Array(await written.arrayBuffer()))
  await refused('archive.inspect')
  expect(await ended(app)).toMatchObject({ what: 'inspect', state: 'done', error: null })
  // Removing an uploaded archive and inspecting it exclude each other.
  const [gone, inspection] = await Promise.all([
    app.raw('archive.forget', {}),
    app.raw('archive.inspect', {}),
  ])
  expect([gone.ok, inspection.ok]).toEqual([true, false])
})

test('lists an export that a restart interrupted, and writes it again where the user chooses', async () => {
  const from = await open()
  await from.call('chats.create', { settings })
  await from.stop()
  const outside = join(from.home, '..', 'elsewhere.zip')
  const db = new Database(join(from.home, 'library.db'))
  const add = db.prepare(
    `INSERT INTO file_jobs (id, kind, request, state, created_at) VALUES (?, ?, ?, 'running', 1)`,
  )
  const task = { id: '../../elsewhere', path: outside, file: 'Mine.lectern.zip', verify: true }
  add.run('j1', 'archive.export', JSON.stringify(task))
  // Neither an import nor anything that is not an export continues without the user.
  add.run('j2', 'archive.import', JSON.stringify({ file: 'Mine.lectern.zip' }))
  add.run('j3', 'library.purge', JSON.stringify({ ids: ['all'] }))
  add.run('j4', 'chats.export', JSON.stringify({ id: 'x', format: '../../x' }))
  db.close()
  const app = await open({ home: from.home })
  const interrupted = {
    id: 'j1',
    kind: 'export',
    title: 'Mine.lectern.zip',
    state: 'failed',
    error: { code: 'LEFT_UNFINISHED' },
  }
  await eventually(async () =>
    expect((await app.call('work.list', {})).work).toMatchObject([interrupted]),
  )
  expect((await app.call('archive.state', {})).job).toBeNull()
  await app.call('work.retryExport', { id: 'j1' })
  const done = await ended(app)
  expect(done).toMatchObject({ what: 'export', state: 'done', error: null })
  const written = await app.app.fetch(
    new Request(`http://127.0.0.1/media/${done.written?.fetchId}`),
    app.page,
  )
  expect(
    Buffer.from(await written.arrayBuffer())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
  expect(existsSync(outside)).toBe(false)
  expect((await app.call('work.list', {})).work).toEqual([])
  expect(await titles(app)).toHaveLength(1)
})

test('rejects a damaged or invalid archive with a message, and changes nothing', async () => {
  const app = await open()
  await app.call('chats.create', { settings })
  const before = await titles(app)
  for (const [bytes, code] of [
    [Buffer.from('no archive at all'), 'ARCHIVE_REFUSED'],
    [Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(4000)]), 'ARCHIVE_DAMAGED'],
  ] as const) {
    await bring(app, bytes, 'strange\u202Egnp.zip')
    await app.call('archive.inspect', {})
    const job = await ended(app)
    expect(job.error).toMatchObject({ code, params: { file: expect.stringMatching(/^strange/) } })
    await app.call('archive.forget', {})
  }
  expect((await app.raw('archive.import', {})).ok).toBe(false)
  expect(await titles(app)).toEqual(before)
  expect(readdirSync(app.home)).not.toContain('archive-in')
})

test('leaves nothing behind when an export is stopped', async () => {
  const app = await open()
  await app.call('chats.create', { settings })
  await app.call('archive.export', {})
  await app.call('archive.cancel', {})
  const job = await ended(app)
  if (job.state === 'failed') expect(job.error?.code).toBe('CANCELLED')
  const out = join(app.home, 'archive-out')
  const left = existsSync(out) ? readdirSync(out).filter((name) => /partial|\.db/.test(name)) : []
  expect(left).toEqual([])
})

test('exports an archive to the chosen path, or reports why it could not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-chosen-'))
  let chosen = join(folder, 'gone', 'mine.zip')
  const app = await open({
    fileHost: {
      saveDialog: async () => chosen,
      rememberFolder: async () => {},
      openDialog: async () => null,
      showInFolder: async () => {},
      startDrag: async () => {},
    },
  })
  try {
    await app.call('archive.export', {})
    const { error } = await ended(app)
    expect(error).toMatchObject({ code: 'SAVE_FAILED', params: { problem: 'gone' } })
    expect(readdirSync(folder)).toEqual([])
    chosen = join(folder, 'mine.zip')
    await app.call('archive.export', {})
    expect((await ended(app)).error).toBeNull()
    expect(readdirSync(folder)).toEqual(['mine.zip'])
  } finally {
    rmSync(folder, removal)
  }
})

test('creates, inspects and restores a backup, after backing up the replaced library', async () => {
  const app = await open()
  const chat = await app.call('chats.create', { settings })
  await app.call('library.rename', { id: chat.id, title: 'Before' })
  const [made] = (await app.call('backups.make', {})).backups
  expect(made).toMatchObject({ reason: 'by-hand' })
  await app.call('library.rename', { id: chat.id, title: 'After' })
  const later = await app.call('chats.create', { settings })
  await app.call('library.rename', { id: later.id, title: 'Later' })
  await app.call('settings.update', { theme: 'dark' })
  const id = made?.id ?? ''
  const inspection = await app.call('backups.inspect', { id })
  expect(inspection).toMatchObject({
    onlyThere: { count: 0, first: [] },
    onlyHere: { count: 1, first: [{ kind: 'conversation', title: 'Later' }] },
  })
  expect(inspection.kinds).toEqual([{ kind: 'conversation', there: 1, here: 2 }])
  expect(inspection.newest.map(({ title }) => title)).toEqual(['Before'])

  const { backups } = await app.call('backups.restore', { id })
  expect(await titles(app)).toEqual(['Before'])
  expect((await app.call('settings.get', {})).theme).toBe('dark')
  const back = backups.find(({ reason }) => reason === 'before-restore')
  await app.call('backups.restore', { id: back?.id ?? '' })
  expect(await titles(app)).toEqual(['After', 'Later'])
  await app.call('chats.create', { settings })
})

test('rejects a damaged backup, and keeps the present library', async () => {
  const app = await open()
  const chat = await app.call('chats.create', { settings })
  await app.call('library.rename', { id: chat.id, title: 'Here' })
  const [made] = (await app.call('backups.make', {})).backups
  const path = join(app.home, 'backups', made?.id ?? '')
  const bytes = readFileSync(path)
  writeFileSync(
    path,
    Buffer.concat([bytes.subarray(0, 8192), Buffer.alloc(bytes.length - 8192, 7)]),
  )
  for (const route of ['backups.inspect', 'backups.restore'] as const) {
    const reply = await app.raw(route, { id: made?.id })
    expect(reply).toMatchObject({ ok: false, error: { code: 'DATABASE_DAMAGED' } })
  }
  expect(await titles(app)).toEqual(['Here'])
})

test('copies a library written by another version before writing to it', async () => {
  const keychain = memoryKeychain()
  const first = await testApp({ keychain, version: '1.0.0' })
  await first.call('chats.create', { settings })
  await first.stop()
  const second = await open({ home: first.home, keychain, version: '1.1.0' })
  const reasons = async () =>
    (await second.call('backups.list', {})).backups.map(({ reason }) => reason)
  expect(await reasons()).toEqual(['before-update'])
  await second.stop()
  apps.splice(apps.indexOf(second), 1)
  const third = await open({ home: first.home, keychain, version: '1.1.0' })
  expect((await third.call('backups.list', {})).backups).toHaveLength(1)
  const db = new Database(join(first.home, 'library.db'), { readonly: true })
  expect(db.prepare(`SELECT value FROM library_facts WHERE key = 'app'`).get()).toEqual({
    value: '1.1.0',
  })
  db.close()
})

test('inspects an opened archive, and imports nothing before the user confirms', async () => {
  const from = await open()
  await from.call('chats.create', { settings })
  await from.call('archive.export', {})
  const { written } = await ended(from)
  const response = await from.app.fetch(
    new Request(`http://127.0.0.1/media/${written?.fetchId ?? ''}`),
  )
  const to = await open()
  const path = join(to.home, 'mine.lectern.ZIP')
  writeFileSync(path, new Uint8Array(await response.arrayBuffer()))
  expect(await to.app.takeFile(path)).toEqual({ ok: true, data: { media: null } })
  expect(await ended(to)).toMatchObject({
    what: 'inspect',
    file: 'mine.lectern.ZIP',
    state: 'done',
  })
  expect(await titles(to)).toEqual([])
  await to.call('archive.import', {})
  await ended(to)
  expect(await titles(to)).toHaveLength(1)
})

test('rejects an opened zip that is not an export, and inspects a damaged archive', async () => {
  const app = await open()
  const opened = async (name: string, bytes: Uint8Array): Promise<unknown> => {
    const path = join(app.home, name)
    writeFileSync(path, bytes)
    return app.app.takeFile(path)
  }
  const refused = { ok: false, error: { code: 'ARCHIVE_REFUSED', params: { reason: 'foreign' } } }
  const other = localHeader({ name: 'notes.txt', bytes: 3, crc: 1 })
  expect(await opened('other.zip', other)).toMatchObject(refused)
  expect(await opened('none.zip', Buffer.from('PK'))).toMatchObject(refused)
  expect(await opened('empty.zip', Buffer.alloc(0))).toMatchObject(refused)
  const packed = localHeader({ name: 'library.db', bytes: 3, crc: 1 })
  packed.writeUInt16LE(8, 8)
  expect(await opened('packed.zip', packed)).toMatchObject(refused)
  expect((await app.call('archive.state', {})).job).toBeNull()
  expect(await opened('cut.zip', localHeader({ name: 'library.db', bytes: 3, crc: 1 }))).toEqual({
    ok: true,
    data: { media: null },
  })
  expect(await ended(app)).toMatchObject({ state: 'failed', error: { code: 'ARCHIVE_DAMAGED' } })
  expect(await app.app.takeFile(join(app.home, 'gone.zip'))).toMatchObject({ ok: false })
})
