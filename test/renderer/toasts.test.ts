import { expect, test } from 'vitest'
import { useLibrary } from '../../src/renderer/src/features/library/store.ts'
import { useToasts } from '../../src/renderer/src/ui/toasts.ts'
import { rendererSetup } from './stores.ts'

test('undo by keyboard runs the newest action, then the one before, and says when none is left', () => {
  const toasts = rendererSetup().run(useToasts)
  const done: string[] = []
  for (const name of ['first', 'second'])
    toasts.show('toast.removed', { action: { key: 'app.undo', run: () => void done.push(name) } })
  toasts.show('toast.restored')
  expect([toasts.actNewest(), toasts.actNewest(), toasts.actNewest()]).toEqual([true, true, false])
  expect(done).toEqual(['second', 'first'])
  expect(toasts.toasts.map(({ key }) => key)).toEqual(['toast.restored'])
})

test('an undo whose items were restored otherwise is no longer offered; one of other items is', async () => {
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
