import { expect, test } from 'vitest'
import { useShell } from '../../../src/renderer/src/lib/app-store.ts'
import { rendererSetup } from '../stores.ts'

test('reports damage repaired at runtime at once, even after an earlier notice was dismissed', async () => {
  const { main, run, settle } = rendererSetup()
  const shell = run(() => useShell())
  await run(() => shell.load())
  shell.noticeSeen = true
  const notice = { state: 'restored', backupAt: 1, quarantine: 'library' } as const
  main.push({ channel: 'app', event: { type: 'storage.changed', notice } })
  await settle()
  expect(shell.info?.storage).toEqual(notice)
  expect(shell.noticeSeen).toBe(false)
})

test('makes the page read-only when a repair left the library read-only', async () => {
  const { main, run, settle } = rendererSetup()
  const shell = run(() => useShell())
  await run(() => shell.load())
  expect(shell.readOnly).toBe(false)
  const error = { code: 'READ_ONLY', message: 'x', retriable: false, at: 0 } as const
  const notice = { state: 'read-only', error } as const
  main.push({ channel: 'app', event: { type: 'storage.changed', notice } })
  await settle()
  expect(shell.readOnly).toBe(true)
})

test('collapses the list on wide windows, and swaps it with the content on narrow ones', () => {
  const { run } = rendererSetup()
  const shell = run(() => useShell())
  // An opened recording takes the place of the list on narrow windows only.
  shell.listOpen = false
  expect(shell.listHidden).toBe(false)
  shell.toggleList()
  expect(shell.listHidden).toBe(true)
  shell.toggleList()
  expect(shell.listHidden).toBe(false)
  shell.single = true
  shell.toggleList()
  expect([shell.listOpen, shell.listHidden]).toEqual([true, false])
  shell.toggleList()
  expect(shell.listOpen).toBe(false)
})

test('opens in each place what was open there last, until it is deleted', async () => {
  const { main, run, settle } = rendererSetup()
  const shell = run(() => useShell())
  const visit = (name: string, id = ''): void =>
    shell.visit({ name, path: id === '' ? `/${name}` : `/${name}/${id}`, params: { id } })
  visit('meetings', 'm1')
  visit('chats', 'c1')
  visit('settings')
  expect(shell.pathOf('meetings', 'chats')).toBe('/meetings/m1')
  expect(shell.pathOf('documents', 'chats')).toBe('/documents')
  // From within, its list.
  expect(shell.pathOf('chats', 'chats')).toBe('/chats')
  visit('chats')
  expect(shell.pathOf('chats', 'meetings')).toBe('/chats')
  const changed = async (deletedAt: number | null): Promise<void> => {
    main.answer('library.summary', () => ({ id: 'm1', deletedAt }))
    main.app({ type: 'library.changed', itemIds: ['m1'] })
    await settle()
  }
  await changed(null)
  expect(shell.pathOf('meetings', 'chats')).toBe('/meetings/m1')
  await changed(1)
  expect(shell.pathOf('meetings', 'chats')).toBe('/meetings')
  // Without IDs, anything may have changed.
  visit('meetings', 'm1')
  main.app({ type: 'library.changed', itemIds: [] })
  await settle()
  expect(shell.pathOf('meetings', 'chats')).toBe('/meetings')
})

test('shows the list again when searching in it', () => {
  const { run } = rendererSetup()
  const shell = run(() => useShell())
  shell.toggleList()
  shell.showList()
  expect([shell.listOpen, shell.listHidden]).toEqual([true, false])
})
