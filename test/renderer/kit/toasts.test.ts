import { expect, test } from 'vitest'
import { useLibrary } from '../../../src/renderer/src/domains/library/entries/library-store.ts'
import { useToasts } from '../../../src/renderer/src/kit/toasts.ts'
import { rendererSetup } from '../stores.ts'

test('undoes the newest action by keyboard, then the one before, and reports when none is left', () => {
  const toasts = rendererSetup().run(useToasts)
  const done: string[] = []
  for (const name of ['first', 'second'])
    toasts.show('toast.removed', { action: { key: 'app.undo', run: () => void done.push(name) } })
  toasts.show('toast.restored')
  expect([toasts.actNewest(), toasts.actNewest(), toasts.actNewest()]).toEqual([true, true, false])
  expect(done).toEqual(['second', 'first'])
  expect(toasts.toasts.map(({ key }) => key)).toEqual(['toast.restored'])
})

test('withdraws an undo whose items were restored elsewhere, not that of other items', async () => {
  const { run, settle } = rendererSetup()
  const library = run(useLibrary)
  const toasts = run(useToasts)
  void library.live.load()
  await settle()
  void library.remove(['review'])
  void library.remove(['german'])
  await settle()
  void library.restore(['review'])
  await settle()
  expect(toasts.toasts.flatMap(({ about }) => about)).toEqual(['german'])
  toasts.actNewest()
  await settle()
  expect(library.live.items.some(({ id }) => id === 'german')).toBe(true)
})
