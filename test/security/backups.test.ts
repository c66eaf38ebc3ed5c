import { afterEach, expect, test } from 'vitest'
import { testApp, type TestApp } from '../fixtures/app.ts'

// Must never cost a copy made manually by the user, or the one being restored.

const day = 24 * 60 * 60 * 1000
let lectern: TestApp
let ahead = 0
afterEach(async () => {
  ahead = 0
  await lectern.remove()
})

const ids = async (): Promise<readonly string[]> =>
  (await lectern.call('backups.list', {})).backups.map(({ id }) => id)

test('deletes no manual copy and no restored one after eight restores and a clock 40 days ahead', async () => {
  lectern = await testApp({ clock: () => Date.now() + ahead })
  const byHand: string[] = []
  for (let count = 0; count < 7; count += 1) {
    const before = new Set(await ids())
    const { backups } = await lectern.call('backups.make', {})
    byHand.push(...backups.map(({ id }) => id).filter((id) => !before.has(id)))
  }
  expect(byHand).toHaveLength(7)
  const [source = ''] = byHand
  for (let count = 0; count < 8; count += 1) await lectern.call('backups.restore', { id: source })
  expect(await ids()).toEqual(expect.arrayContaining(byHand))
  ahead = 40 * day
  await lectern.call('backups.restore', { id: source })
  await lectern.call('backups.make', {})
  ahead = 0
  await lectern.call('backups.make', {})
  expect(await ids()).toEqual(expect.arrayContaining(byHand))
})

test('does not prune the oldest pre-restore copy while restoring it', async () => {
  lectern = await testApp({ clock: () => Date.now() + ahead })
  const { backups } = await lectern.call('backups.make', {})
  for (let count = 0; count < 5; count += 1)
    await lectern.call('backups.restore', { id: backups[0]?.id ?? '' })
  const copies = (await ids()).filter((id) => id.includes('before-restore')).toSorted()
  expect(copies).toHaveLength(5)
  const [oldest = ''] = copies
  await lectern.call('backups.restore', { id: oldest })
  expect(await ids()).toContain(oldest)
})
