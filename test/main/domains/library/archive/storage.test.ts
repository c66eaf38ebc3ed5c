import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, expect, test } from 'vitest'
import {
  archivePlaces,
  mediaPlace,
} from '../../../../../src/main/domains/library/archive/layout.ts'
import { measureStorage } from '../../../../../src/main/domains/library/archive/archive-storage.ts'
import { memoryKeychain, testApp, type TestApp } from '../../../../fixtures/app.ts'
import { fillLibrary, tablesOf, writeMedia } from '../../../../fixtures/full-library.ts'
import { receiveArchive } from '../../../../../src/main/domains/library/service/archive/archive.ts'
import { sineWav } from '../../../../fixtures/wav.ts'
import { smallDisk } from '../../../platform/database/disk.ts'
import { storePaths } from '../../../../../src/main/platform/database/paths.ts'
import { temporaryHome, withStore } from '../../../platform/database/fixture.ts'
import { randomFrom } from '../../../../fixtures/random.ts'

const apps: TestApp[] = []
afterEach(async () => {
  // The last one first: it may have the folder of another one open.
  for (const app of apps.splice(0).toReversed()) await app.remove()
})

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())

const canary = 'canaryWordOfEveryTable'

test('leaves no text of any table in the database after erasing', async () => {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, (store) => {
      // Written next to the open store, like any other writer.
      const db = new Database(join(folder.home, 'library.db'))
      db.pragma('foreign_keys = OFF')
      let filled = 0
      for (const name of tablesOf(db)) filled += addCanary(db, name)
      db.close()
      expect(filled).toBeGreaterThan(50)
      store.erase()
    })
    const left = filesBelow(folder.home).filter((path) => readFileSync(path).includes(canary))
    expect(left).toEqual([])
  } finally {
    folder.remove()
  }
})

/** Inserts a row with the canary in every text; returns the number of rows. */
function addCanary(db: Database.Database, table: string): number {
  const columns = db
    .prepare<[string], { name: string; type: string }>(
      'SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden = 0',
    )
    .all(table)
  const values = columns.map(({ type }) => {
    if (/INT/.test(type)) return 7
    if (type === 'REAL') return 0.5
    return type === 'BLOB' ? Buffer.from(canary) : canary
  })
  const names = columns.map((column) => `"${column.name}"`).join(', ')
  const marks = columns.map(() => '?').join(', ')
  return db.prepare(`INSERT OR IGNORE INTO "${table}"(${names}) VALUES (${marks})`).run(...values)
    .changes
}

test('leaves no file of any folder, known or new, after erasing everything', async () => {
  const keychain = memoryKeychain()
  const app = await testApp({ keychain })
  apps.push(app)
  const account = await app.call('accounts.create', { preset: 'bigmodel', name: canary })
  await app.call('accounts.setKey', { id: account.id, key: 'canary-0123456789abcdef.secret' })
  await app.call('settings.update', { theme: 'dark', welcomed: true })
  await app.call('backups.make', {})
  expect(keychain.secrets.size).toBe(1)
  const known = readdirSync(app.home).filter((name) => statSync(join(app.home, name)).isDirectory())
  const more = ['media/aa', 'meetings/m', 'quarantine', 'backups', 'speech', 'a-new-part/deep']
  for (const folder of [...known, ...more]) {
    mkdirSync(join(app.home, folder), { recursive: true })
    writeFileSync(join(app.home, folder, 'canary'), canary)
  }
  writeFileSync(join(app.home, 'take-in.json'), JSON.stringify({ id: canary }))
  await app.call('app.eraseAll', { confirm: 'erase everything' })
  await app.stop()
  expect(filesBelow(app.home).filter((path) => readFileSync(path).includes(canary))).toEqual([])
  const { database } = storePaths(app.home)
  // The on-device service may have started again since, empty.
  const record = join(app.home, 'keychain.json')
  expect(JSON.parse(readFileSync(record, 'utf8'))).toMatchObject({ stored: [], earlier: [] })
  const begun = [database, record, join(app.home, 'this-computer', 'state.db')]
  const files = filesBelow(app.home).filter((path) => !begun.some((one) => path.startsWith(one)))
  expect(files).toEqual([])
  expect(existsSync(join(app.home, 'a-new-part'))).toBe(false)
  expect(keychain.secrets.size).toBe(0)
  const again = await testApp({ home: app.home, keychain })
  apps.push(again)
  const settings = await again.call('settings.get', {})
  expect([settings.theme, settings.welcomed]).toEqual(['system', false])
  expect((await again.call('accounts.list', {})).map(({ preset }) => preset)).toEqual(['local'])
  expect((await again.call('library.entries', {})).entries).toEqual([])
})

test('reports storage by kind, shared files once, and frees only what it reports', async () => {
  const app = await testApp()
  apps.push(app)
  await app.stop()
  const random = randomFrom(1)
  fillLibrary({ home: app.home, random, each: 2, bytes: 5000, kinds: ['meeting', 'document'] })
  const db = new Database(join(app.home, 'library.db'))
  db.pragma('foreign_keys = OFF')
  for (const table of ['documents', 'document_versions', 'voice_samples', 'speeches'])
    db.exec(`DELETE FROM ${table}`)
  db.exec('UPDATE items SET deleted_at = 5 WHERE seq IN (SELECT min(seq) FROM items GROUP BY kind)')
  db.close()
  const stray = writeMedia(app.home, random, 3000)
  const hourAgo = Date.now() / 1000 - 3700
  utimesSync(mediaPlace(app.home, stray.id), hourAgo, hourAgo)
  const request = {
    home: app.home,
    computer: join(app.home, 'this-computer'),
    now: Date.now(),
    inUse: [],
  }
  const kinds = await measureStorage(request)
  const of = (kind: string): number => kinds.find((one) => one.kind === kind)?.bytes ?? 0
  expect(of('strays')).toBe(3000)
  expect(of('bin')).toBeGreaterThan(2500)
  expect(of('meetings')).toBeGreaterThan(2500)
  const media = filesBelow(join(app.home, 'media')).reduce(
    (sum, path) => sum + statSync(path).size,
    0,
  )
  const audioBytes = filesBelow(join(app.home, 'meetings')).reduce(
    (sum, path) => sum + statSync(path).size,
    0,
  )
  const reported = [
    'recordings',
    'meetings',
    'documents',
    'pageImages',
    'chats',
    'voices',
    'knowledge',
    'runs',
    'bin',
    'strays',
  ]
  expect(reported.reduce((sum, kind) => sum + of(kind), 0)).toBe(media + audioBytes)
  expect(existsSync(mediaPlace(app.home, stray.id))).toBe(true)
})

test('removes unreferenced files after an hour, unless they were imported or read since', async () => {
  let now = Date.now()
  const app = await testApp({ clock: () => now })
  apps.push(app)
  const random = randomFrom(2)
  const drop = async (name: string): Promise<string> => {
    const reply = await app.intake(name, sineWav({ seconds: 0.1, hz: 300 + name.length * 40 }))
    return reply.ok ? reply.data.media.id : ''
  }
  const here = (id: string): boolean => existsSync(mediaPlace(app.home, id))
  const dropped = await drop('a.wav')
  const made = await drop('bb.wav')
  // Left by a crash: bytes without a row, one of them new.
  const [old, young] = [writeMedia(app.home, random, 700), writeMedia(app.home, random, 900)]
  const setAge = (id: string, ms: number): void => {
    const at = (now - ms) / 1000
    utimesSync(mediaPlace(app.home, id), at, at)
  }
  setAge(old.id, 3_700_000)
  setAge(young.id, 3_500_000)
  const strays = async () =>
    (await app.call('app.storageKinds', {})).kinds.find(({ kind }) => kind === 'strays')
  expect((await strays())?.frees).toBe(700)
  await app.call('app.cleanUp', { kind: 'strays' })
  expect([dropped, made, old.id, young.id].map(here)).toEqual([true, true, false, true])

  // More than an hour later one of them is still in use: it stays, and the page can request it again.
  now += 4_000_000
  expect((await app.app.fetch(new Request(`http://127.0.0.1/media/${made}`))).status).toBe(200)
  const reported = await strays()
  const before = statSync(mediaPlace(app.home, dropped)).size
  expect(reported?.frees).toBe(before + 900)
  await app.call('app.cleanUp', { kind: 'strays' })
  expect([dropped, made, young.id].map(here)).toEqual([false, true, false])
  expect((await strays())?.frees).toBe(0)
  now += 4_000_000
  await app.call('app.cleanUp', { kind: 'strays' })
  expect(here(made)).toBe(false)
})

test('returns takes, samples and images of purged items, so that their files are deleted', async () => {
  const folder = temporaryHome()
  try {
    fillLibrary({ home: folder.home, random: randomFrom(3), each: 2, bytes: 400 })
    await withStore(folder.home, (store) => {
      const db = new Database(join(folder.home, 'library.db'))
      const item = db
        .prepare<[], string>(
          `SELECT i.id FROM items i WHERE seq = (SELECT min(item_seq) FROM speech_takes)`,
        )
        .pluck()
        .get()
      db.exec(`INSERT INTO media(id, sha256, bytes, mime, name, created_at, uses) VALUES ('spoken', '', 1, 'audio/wav', '', 1, 1);
        UPDATE speech_takes SET media_id = 'spoken' WHERE seq = (SELECT min(seq) FROM speech_takes)`)
      db.close()
      expect(store.items.purge([item ?? ''])).toContain('spoken')
    })
  } finally {
    folder.remove()
  }
})

test('stops an archive of unknown length before the disk is full, and leaves nothing', async () => {
  const disk = smallDisk(96 * 1024 * 1024)
  const home = disk?.path ?? ''
  const sent = { bytes: 0 }
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent.bytes += 1024 * 1024
      controller.enqueue(new Uint8Array(1024 * 1024))
      if (!disk) controller.close()
    },
  })
  try {
    const sending = { method: 'PUT', body: endless, duplex: 'half' } as const
    const request = new Request('http://127.0.0.1/archive', sending)
    const places = archivePlaces(disk ? home : temporaryHome().home)
    const arrived = receiveArchive(request, places).then(
      (bytes) => bytes,
      (error: unknown) => error,
    )
    const outcome = await arrived
    if (!disk) expect(outcome).toBe(sent.bytes)
    else {
      expect(outcome).toMatchObject({ code: 'DISK_FULL', params: { problem: 'room' } })
      expect(sent.bytes).toBeLessThan(40 * 1024 * 1024)
      expect(readdirSync(home)).toEqual([])
    }
  } finally {
    disk?.remove()
  }
})
