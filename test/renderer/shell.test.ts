import { expect, test } from 'vitest'
import { useShell } from '../../src/renderer/src/features/shell/store.ts'
import { rendererSetup } from './stores.ts'

test('damage that is mended while the app runs is said at once, also when an earlier notice was put away', async () => {
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

test('a library that a repair left readable only makes the page readable only', async () => {
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

test('the list folds away where there is room for both, and changes places with the work where there is not', () => {
  const { run } = rendererSetup()
  const shell = run(() => useShell())
  // A recording that is opened asks for the work's place on narrow windows only.
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

test('looking for something in the list brings it back', () => {
  const { run } = rendererSetup()
  const shell = run(() => useShell())
  shell.toggleList()
  shell.showList()
  expect([shell.listOpen, shell.listHidden]).toEqual([true, false])
})
