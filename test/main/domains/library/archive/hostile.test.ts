import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportArchive } from '../../../../../src/main/domains/library/archive/export.ts'
import { openArchive } from '../../../../../src/main/domains/library/archive/archive-file.ts'
import { archivePlaces } from '../../../../../src/main/domains/library/archive/layout.ts'
import { progressIn, progressOwner } from '../../../../../src/main/platform/zip/progress.ts'
import { ArchiveRefused } from '../../../../../src/main/platform/zip/archive-errors.ts'
import { inspectArchive, unpack } from '../../../../../src/main/domains/library/archive/unpack.ts'
import { storePaths } from '../../../../../src/main/platform/database/paths.ts'
import { fillLibrary } from '../../../../fixtures/full-library.ts'
import {
  hostileArchives,
  hostileDatabases,
  packed,
  type Parts,
} from '../../../../fixtures/hostile-archives.ts'
import { randomFrom } from '../../../../fixtures/random.ts'

let root: string
let whole: Buffer
let parts: Parts
let home: string
const quiet = () => progressIn(progressOwner().memory)

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lectern-hostile-'))
  const source = join(root, 'source')
  fillLibrary({ home: source, random: randomFrom(5), each: 1, bytes: 400 })
  const to = join(root, 'whole.zip')
  await exportArchive(
    {
      home: source,
      database: storePaths(source).database,
      computer: join(source, 'this-computer'),
      to,
      app: '1',
      at: 1,
      verify: true,
    },
    quiet(),
  )
  whole = readFileSync(to)
  const file = await open(to)
  const { manifest, entries } = await openArchive(file)
  await file.close()
  parts = {
    manifest: { ...manifest },
    entries: entries.map(({ name, body, bytes }) => ({
      name,
      content: whole.subarray(body, body + bytes),
    })),
  }
  home = join(root, 'home')
  fillLibrary({ home, random: randomFrom(6), each: 1, bytes: 100 })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Returns every file of the data folder with its checksum, except uploads. */
function stateOf(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('archive-in') && statSync(join(folder, name)).isFile(),
  )
  return Object.fromEntries(
    files.toSorted().map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  )
}

/** Returns the reason why an archive is refused; '' if it is accepted. */
async function refusal(bytes: Buffer): Promise<string> {
  const archive = join(root, 'given.zip')
  writeFileSync(archive, bytes)
  try {
    await unpack({ home, archive, into: archivePlaces(home).staged }, quiet())
    return ''
  } catch (error) {
    if (!(error instanceof ArchiveRefused)) throw error
    return error.reason
  }
}

test('accepts the archive that all of these are made from', async () => {
  expect(await refusal(whole)).toBe('')
  expect(await refusal(packed(parts))).toBe('')
})

test.each(hostileArchives)('rejects without changes: $name', async ({ make, reasons }) => {
  const before = stateOf(home)
  const reason = await refusal(make(parts, whole))
  expect(reasons).toContain(reason)
  expect(stateOf(home)).toEqual(before)
  expect(existsSync(join(root, 'outside.txt'))).toBe(false)
})

test.each(hostileDatabases)('rejects without changes: a database with $name', async (one) => {
  const before = stateOf(home)
  const path = join(root, 'evil.db')
  const [database, ...rest] = parts.entries
  writeFileSync(path, database?.content ?? '')
  const db = new Database(path)
  db.unsafeMode(true)
  db.pragma('foreign_keys = OFF')
  db.exec(one.sql)
  db.close()
  const archive = packed({
    manifest: parts.manifest,
    entries: [{ name: 'library.db', content: readFileSync(path) }, ...rest],
  })
  expect(await refusal(archive)).toBe(one.reason ?? 'database')
  expect(stateOf(home)).toEqual(before)
})

test('rejects without changes: a meeting whose folder differs only in case from an existing one', async () => {
  const name = parts.entries.find((entry) => entry.name.startsWith('meetings/'))?.name ?? ''
  const id = name.split('/')[1] ?? ''
  const twin = [id.toUpperCase(), id.toLowerCase()].find((one) => one !== id) ?? ''
  mkdirSync(join(home, 'meetings', twin), { recursive: true })
  const before = stateOf(home)
  expect(await refusal(whole)).toBe('case')
  const archive = join(root, 'given.zip')
  const inspection = inspectArchive({ home, archive, into: archivePlaces(home).staged }, quiet())
  await expect(inspection).rejects.toMatchObject({ reason: 'case', entry: name })
  expect(stateOf(home)).toEqual(before)
  rmSync(join(home, 'meetings', twin), { recursive: true })
})

test('rejects an archive cut off anywhere', async () => {
  const random = randomFrom(7)
  for (let n = 0; n < 30; n++) {
    const cut = whole.subarray(0, Math.floor(random() * (whole.length - 1)))
    expect(['truncated', 'foreign', 'packed', 'overlap'], `${cut.length}`).toContain(
      await refusal(cut),
    )
  }
})

test('rejects an archive with any flipped byte, and never misreads it on inspection', async () => {
  const random = randomFrom(8)
  for (let n = 0; n < 60; n++) {
    const spoilt = Buffer.from(whole)
    // Directory and end are a small part of the file: half of all flips are there.
    const from = n % 2 === 0 ? 0 : whole.length - 4096
    const at = from + Math.floor(random() * (whole.length - from))
    spoilt[at] = (spoilt[at] ?? 0) ^ (1 << Math.floor(random() * 8))
    expect(await refusal(spoilt), `byte ${at}`).not.toBe('')
  }
})

test('leaves only the inspected database after an inspection', async () => {
  const archive = join(root, 'whole.zip')
  const before = stateOf(home)
  const { staged } = archivePlaces(home)
  await inspectArchive({ home, archive, into: staged }, quiet())
  expect(readdirSync(staged)).toEqual(['library.db'])
  expect(stateOf(home)).toEqual(before)
})
