import { expect, test } from 'vitest'
import { localAccountId, presets } from '../../../../../../src/shared/provider/profiles.ts'
import { automaticIndex } from '../../../../../../src/shared/model/semantic.ts'
import { eventually } from '../../../../../fixtures/eventually.ts'
import { addItem, putText } from '../../../../platform/database/fixture.ts'
import { choice, semanticSetup, sentTexts, vectorOf, type SemanticSetup } from './semantic-setup.ts'

/** The setup with the account of this computer, whose model has as many dimensions as are asked for. */
async function onThisComputer(): Promise<SemanticSetup> {
  const setup = await semanticSetup()
  setup.store.accounts.put({
    id: localAccountId,
    preset: 'local',
    name: 'This computer',
    profile: presets.local,
    createdAt: 1,
  })
  setup.server.always((request) => {
    const { dimensions = 512 } = JSON.parse(String(request.body)) as { dimensions?: number }
    const data = sentTexts(request).map((text, index) => {
      const vector = vectorOf(text)
      return { index, embedding: Array.from({ length: dimensions }, (_, at) => vector[at] ?? 0) }
    })
    return { body: JSON.stringify({ data, engine: 'an encoder' }) }
  })
  return setup
}
const automatic = ({ store }: SemanticSetup) =>
  store.semantic.indexes().find(({ accountId }) => accountId === localAccountId)
const isReady = (setup: SemanticSetup, done: number): Promise<void> =>
  eventually(() => expect(automatic(setup)).toMatchObject({ state: 'idle', done, waiting: 0 }))

test('indexes what arrives on this computer without being asked, and finds it by its meaning', async () => {
  const setup = await onThisComputer()
  setup.semantic.resume()
  setup.quiet()
  await isReady(setup, 4)
  addItem(setup.store, 'new', 'New', 'The anchor was lost at the harbour.', 5000)
  putText(setup.store, 'sea', 'Every sailor waited for the ship that came with the tide.')
  // Progress of other kinds of work is no reason.
  setup.semantic.noticed({ type: 'work.changed' })
  setup.quiet()
  expect(automatic(setup)).toMatchObject({ state: 'idle', done: 4 })
  setup.semantic.noticed({ type: 'library.changed', itemIds: ['new', 'sea'] })
  setup.quiet()
  await isReady(setup, 5)
  const { hits } = await setup.semantic.search({
    query: 'is the radiator broken?',
    indexId: automatic(setup)?.id ?? null,
    kinds: null,
    from: null,
    until: null,
    tag: null,
    starred: false,
    limit: 5,
    rerankBy: null,
  })
  expect(hits[0]?.itemId).toBe('house')
})

test('is not busy with it, and offers it after the indexes that the user chose', async () => {
  const setup = await onThisComputer()
  await setup.semantic.keepUp()
  expect(setup.semantic.busy()).toBe(false)
  await isReady(setup, 4)
  await setup.semantic.begin(choice)
  await eventually(() => expect(setup.semantic.busy()).toBe(false))
  const indexes = await setup.semantic.indexes()
  expect(indexes.map(({ accountId }) => accountId)).toEqual(['a', localAccountId])
})

test('stays paused, also when it was deleted, until the user resumes it', async () => {
  const setup = await onThisComputer()
  await setup.semantic.keepUp()
  await isReady(setup, 4)
  const { id } = automatic(setup) ?? expect.fail('no index')
  await setup.semantic.pause(id)
  addItem(setup.store, 'new', 'New', 'The anchor was lost at the harbour.', 5000)
  expect(await setup.semantic.keepUp()).toMatchObject({ state: 'paused', fresh: 1 })
  await setup.semantic.remove(id)
  expect(await setup.semantic.keepUp()).toMatchObject({ state: 'paused', done: 0, fresh: 5 })
  const requests = setup.server.requests.length
  await setup.semantic.resumeIndex(automatic(setup)?.id ?? 0)
  await eventually(() => expect(automatic(setup)?.state).toBe('idle'))
  setup.quiet()
  await isReady(setup, 5)
  expect(setup.server.requests.length).toBeGreaterThan(requests)
})

test('does nothing in an empty library, and sends nothing to an account', async () => {
  const setup = await onThisComputer()
  setup.store.items.remove(['house', 'money', 'plants', 'sea'], 9000)
  expect(await setup.semantic.keepUp()).toBeNull()
  expect(setup.store.semantic.indexes()).toEqual([])
  expect(automaticIndex.accountId).toBe(localAccountId)
  expect(setup.server.requests).toEqual([])
})
