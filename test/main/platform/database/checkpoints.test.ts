import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { planCheckpoints } from '../../../../src/main/platform/database/checkpoints.ts'
import { createConnection } from '../../../../src/main/platform/database/connection.ts'
import { prepareForWriting } from '../../../../src/main/platform/database/open-file.ts'
import { addItem, memoryLog, temporaryHome, withStore } from './fixture.ts'

const megabyte = 'a word and another one '.repeat(45_000)

test('writes reach the file while the library is open, and the log is reused', async () => {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, async (store) => {
      const file = join(folder.home, 'library.db')
      const bytes = (path: string): number => statSync(path).size
      const before = bytes(file)
      addItem(store, 'long', 'Long', megabyte)
      expect(bytes(file)).toBe(before)
      await expect.poll(() => bytes(file) - before).toBeGreaterThan(500_000)
      // Includes merges that run meanwhile.
      await pause(1500)
      const log = bytes(`${file}-wal`)
      addItem(store, 'short', 'Short', 'a word')
      expect(bytes(`${file}-wal`)).toBe(log)
    })
    await withStore(folder.home, (store) =>
      expect(store.items.summary('short')?.title).toBe('Short'),
    )
  } finally {
    folder.remove()
  }
})

test('deferrable work leaves the log alone during a checkpoint, but continues if that takes long', async () => {
  const folder = temporaryHome()
  await withStore(folder.home, (store) => addItem(store, 'one', 'One', 'a word'))
  const db = new Database(join(folder.home, 'library.db'))
  prepareForWriting(db)
  const connection = createConnection({ damage: (error) => expect.fail(error.message) })
  connection.attach(db, true)
  const quick = Promise.withResolvers<void>()
  const long = Promise.withResolvers<void>()
  const answers = [quick.promise, long.promise]
  const checkpoints = planCheckpoints(
    connection,
    () => answers.shift() ?? long.promise,
    memoryLog(),
  )
  const isRunning = (): boolean => checkpoints.isRunning
  try {
    expect(isRunning()).toBe(false)
    connection.run('UPDATE items SET updated_at = 7')
    await expect.poll(isRunning).toBe(true)
    quick.resolve()
    await expect.poll(isRunning).toBe(false)
    connection.run('UPDATE items SET updated_at = 8')
    await expect.poll(isRunning).toBe(true)
    // The worker first checks the whole file.
    await expect.poll(isRunning).toBe(false)
  } finally {
    long.resolve()
    await checkpoints.stop()
    db.close()
    folder.remove()
  }
})
