import { mkdirSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as privateFiles from '../../../src/main/platform/security/private-files.ts'
import { finishRollBack } from '../../../src/main/updates/app-updates.ts'
import {
  backupsOfUpdates,
  createRecordsBook,
  type RecordsBook,
} from '../../../src/main/updates/records.ts'
import { addItem, memoryLog, temporaryHome, withStore } from '../platform/database/fixture.ts'

vi.mock('../../../src/main/platform/security/private-files.ts', { spy: true })

let folder: ReturnType<typeof temporaryHome>
let log: ReturnType<typeof memoryLog>
beforeEach(() => {
  folder = temporaryHome()
  log = memoryLog()
})
afterEach(() => folder.remove())

const book = (): RecordsBook => createRecordsBook(folder.home, () => 0.5)
const open = (): Database.Database => new Database(join(folder.home, 'library.db'))
const titles = (): unknown[] => {
  const db = open()
  try {
    return db.prepare('SELECT title FROM items').pluck().all()
  } finally {
    db.close()
  }
}

/**
 * Creates a library migrated by a newer version, its earlier backup, and the request to start `version` again.
 */
async function goBackTo(version: string): Promise<void> {
  let backup = ''
  await withStore(folder.home, async (store) => {
    addItem(store, 'a', 'Before', 'x', 1)
    const made = await store.backup('before-update')
    if (made.ok) backup = basename(made.path)
  })
  const db = open()
  db.exec(`UPDATE items SET title = 'Written by the newer version'`)
  db.pragma('user_version = 99990')
  db.close()
  mkdirSync(join(folder.home, 'updates'))
  book().change({ rollBack: { version, backup } })
}

test('opens the library from before the update in the version that was rolled back to', async () => {
  await goBackTo('0.1.0')
  await finishRollBack(folder.home, '0.1.0', { clock: Date.now, log })
  expect(titles()).toEqual(['Before'])
  expect(book().now.rollBack).toBeNull()
  // Once is enough: the next start changes nothing.
  await finishRollBack(folder.home, '0.1.0', { clock: Date.now, log })
  expect(log.lines).toHaveLength(1)
})

test('replaces nothing, now or later, if the newer version starts again instead', async () => {
  await goBackTo('0.1.0')
  await finishRollBack(folder.home, '0.2.0', { clock: Date.now, log })
  expect(titles()).toEqual(['Written by the newer version'])
  await finishRollBack(folder.home, '0.1.0', { clock: Date.now, log })
  expect(titles()).toEqual(['Written by the newer version'])
})

test('starts Lectern with the library unchanged if the backup no longer exists', async () => {
  await goBackTo('0.1.0')
  book().change({
    rollBack: { version: '0.1.0', backup: 'library-20200101T000000000-before-update.db' },
  })
  await finishRollBack(folder.home, '0.1.0', { clock: Date.now, log })
  expect(titles()).toEqual(['Written by the newer version'])
  expect(log.lines.join()).toContain('could not be restored')
})

test('starts every version despite a full disk', async () => {
  await goBackTo('0.1.0')
  vi.mocked(privateFiles.writePrivateFile).mockImplementationOnce(() => {
    throw Object.assign(new Error('full'), { code: 'ENOSPC' })
  })
  await finishRollBack(folder.home, '0.1.0', { clock: Date.now, log })
  expect(log.lines.join()).toContain('could not be recorded')
})

test('never prunes backups needed for a rollback, and no label displaces another', async () => {
  const names = (): readonly string[] => readdirSync(join(folder.home, 'backups'))
  let needed = ''
  await withStore(
    folder.home,
    async (store) => {
      const made = await store.backup('before-update')
      if (made.ok) needed = basename(made.path)
      mkdirSync(join(folder.home, 'updates'))
      book().change({ rollBack: { version: '0.1.0', backup: needed } })
      for (let count = 0; count < 7; count++) await store.backup('before-update')
      for (let count = 0; count < 7; count++) await store.backup('by-hand')
    },
    { neededBackups: () => backupsOfUpdates(folder.home) },
  )
  expect(names()).toContain(needed)
  const count = (label: string): number => names().filter((name) => name.includes(label)).length
  expect([count('before-update'), count('by-hand')]).toEqual([6, 7])
})
