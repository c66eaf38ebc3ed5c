import { expect, test } from 'vitest'
import { AppError } from '../../../../../src/main/errors.ts'
import {
  createLibrary,
  type LibraryDeps,
} from '../../../../../src/main/domains/library/service/library.ts'
import { temporaryHome, withStore } from '../../../platform/database/fixture.ts'

test('continues the work on items that could not be removed', async () => {
  const folder = temporaryHome()
  try {
    await withStore(folder.home, async (store) => {
      const events: string[] = []
      const full = (): never => {
        throw new AppError('DISK_FULL', 'The disk is full')
      }
      const library = createLibrary({
        store: { ...store, items: { ...store.items, remove: full, purge: full } },
        clock: () => 5,
        files: {},
        onChange: () => void events.push('changed'),
        onOrganized: () => void events.push('organized'),
        beforeRemove: async (ids: readonly string[]) => void events.push(`stopped ${ids.join()}`),
        onRestored: (ids: readonly string[]) => void events.push(`continued ${ids.join()}`),
        afterPurge: async () => {},
      } as unknown as LibraryDeps)
      for (const id of ['here', 'inTrash'])
        store.items.create({ id, kind: 'voice', title: id, at: 1 })
      store.items.remove(['inTrash'], 2)
      const ids = ['here', 'inTrash', 'deleted']
      for (const remove of [library.remove, library.purge])
        await expect(remove(ids)).rejects.toMatchObject({ code: 'DISK_FULL' })
      const both = ['stopped here,inTrash,deleted', 'continued here']
      expect(events).toEqual([...both, ...both])
    })
  } finally {
    folder.remove()
  }
})
