import { expect, test } from 'vitest'
import { useSemantic } from '../../../../src/renderer/src/domains/library/semantic/indexes-store.ts'
import { automaticIndex, meaningKinds } from '../../../../src/shared/model/semantic.ts'
import { rendererSetup } from '../../stores.ts'

const index = {
  ...automaticIndex,
  id: 7,
  accountName: 'This computer',
  kinds: meaningKinds,
  since: null,
  state: 'running',
  done: 0,
  waiting: 40,
  failed: 0,
  fresh: 0,
  changed: 0,
  chunks: 0,
  error: null,
  engine: null,
  notice: null,
}

test('shows the progress of the automatic index without asking for its numbers again', async () => {
  const { main, run, settle } = rendererSetup({ empty: true })
  main.answer('semantic.indexes', () => [index])
  const semantic = run(useSemantic)
  await settle()
  const asked = (): number =>
    main.requests.filter(({ route }) => route === 'semantic.indexes').length
  const progress = { id: 7, done: 10, waiting: 29, failed: 1, chunks: 12 }
  // No page that shows it is open.
  main.app({ type: 'semantic.progress', ...progress })
  main.app({ type: 'semantic.changed', isAutomatic: true })
  await settle()
  expect([semantic.state, asked()]).toEqual(['idle', 0])
  await semantic.load()
  main.app({ type: 'semantic.progress', ...progress })
  await settle()
  expect(semantic.byId(7)).toEqual({ ...index, ...progress })
  expect(asked()).toBe(1)
})

test('asks for the indexes when the user has another one created on any page', async () => {
  const { main, run, settle } = rendererSetup({ empty: true })
  main.answer('semantic.indexes', () => [{ ...index, accountId: 'a' }])
  const semantic = run(useSemantic)
  await settle()
  main.app({ type: 'semantic.changed', isAutomatic: false })
  await settle()
  expect(semantic.open).toHaveLength(1)
})
