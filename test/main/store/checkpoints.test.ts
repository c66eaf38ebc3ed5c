import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { addItem, temporaryHome, withStore } from './fixture.ts'

const megabyte = 'a word and another one '.repeat(45_000)

test('what was written reaches the file while the library is open, and the log is used again', async () => {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, async (store) => {
      const file = join(folder.home, 'library.db')
      const bytes = (path: string): number => statSync(path).size
      const before = bytes(file)
      addItem(store, 'long', 'Long', megabyte)
      expect(bytes(file)).toBe(before)
      await expect.poll(() => bytes(file) - before, { timeout: 15_000 }).toBeGreaterThan(500_000)
      // Whatever is merged meanwhile is brought in too.
      await pause(1500)
      const log = bytes(`${file}-wal`)
      addItem(store, 'short', 'Short', 'a word')
      expect(bytes(`${file}-wal`)).toBe(log)
    })
    await withStore(folder.home, (store) => expect(store.items.get('short')?.title).toBe('Short'))
  } finally {
    folder.remove()
  }
})
