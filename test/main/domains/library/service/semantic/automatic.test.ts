import { expect, test } from 'vitest'
import { localAccountId, presets } from '../../../../../../src/shared/provider/profiles.ts'
import { automaticIndex, isAutomatic } from '../../../../../../src/shared/model/semantic.ts'
import { eventually } from '../../../../../fixtures/eventually.ts'
import type { RecordedRequest, ScriptedReply } from '../../../../../fixtures/scripted-server.ts'
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
  setup.server.always(localAnswer)
  return setup
}
function localAnswer(request: RecordedRequest): ScriptedReply {
  const { dimensions = 512 } = JSON.parse(String(request.body)) as { dimensions?: number }
  const data = sentTexts(request).map((text, index) => {
    const vector = vectorOf(text)
    return { index, embedding: Array.from({ length: dimensions }, (_, at) => vector[at] ?? 0) }
  })
  return { body: JSON.stringify({ data, engine: 'an encoder' }) }
}
const automatic = ({ store }: SemanticSetup) => store.semantic.indexes().find(isAutomatic)
const isReady = (setup: SemanticSetup, done: number): Promise<void> =>
  eventually(() => {
    setup.pass()
    expect(automatic(setup)).toMatchObject({ state: 'idle', done, waiting: 0 })
  })

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
  await eventually(() => {
    setup.pass()
    expect(automatic(setup)?.state).toBe('idle')
  })
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

test('takes no place in the queue while other work runs, also when its account takes one request only', async () => {
  const setup = await onThisComputer()
  setup.idle(false)
  let isRejected = true
  setup.server.always((request) =>
    isRejected ? { status: 401, body: '{}' } : localAnswer(request),
  )
  await setup.semantic.begin({ ...choice, accountId: localAccountId })
  const asked = () => setup.store.semantic.indexes().find(({ dimensions }) => dimensions === 256)
  await eventually(() => expect(asked()?.state).toBe('waiting'))
  isRejected = false
  await setup.semantic.keepUp()
  await eventually(() => {
    setup.pass()
    expect(asked()).toMatchObject({ state: 'idle', done: 4 })
  })
  expect(automatic(setup)).toMatchObject({ done: 0, waiting: 4 })
  setup.idle(true)
  await isReady(setup, 4)
})

test('is interrupted by a recording, and continues after it', async () => {
  const setup = await onThisComputer()
  setup.server.always({ hang: true })
  await setup.semantic.keepUp()
  await eventually(() => expect(setup.server.requests).toHaveLength(1))
  setup.semantic.recording(true)
  setup.server.always(localAnswer)
  // The recording reports itself again and again.
  setup.semantic.recording(true)
  for (let n = 0; n < 5; n++) {
    setup.pass()
    await new Promise(setImmediate)
  }
  expect(setup.server.requests).toHaveLength(1)
  expect(automatic(setup)).toMatchObject({ state: 'running', done: 0, waiting: 4 })
  setup.semantic.recording(false)
  await isReady(setup, 4)
})

test('an index that the user started continues during a recording', async () => {
  const setup = await onThisComputer()
  setup.semantic.recording(true)
  const begun = await setup.semantic.begin({ ...automaticIndex, kinds: choice.kinds, since: null })
  expect(begun.state).toBe('running')
  await isReady(setup, 4)
})

test('reports its progress only now and then, without a reason to count the library again', async () => {
  const setup = await onThisComputer()
  for (let n = 0; n < 76; n++)
    addItem(
      setup.store,
      `more${n}`,
      `More ${n}`,
      `Roses and tulips were set along lawn ${n} of the garden.`,
      5000 + n,
    )
  await setup.semantic.keepUp()
  await isReady(setup, 80)
  const steps = setup.server.requests.length
  expect(steps).toBeGreaterThanOrEqual(10)
  const types = setup.events.map(({ type }) => type)
  const progress = types.filter((type) => type === 'semantic.progress').length
  expect(progress).toBeGreaterThan(0)
  expect(progress).toBeLessThan(steps)
  // Its beginning and its end.
  expect(setup.events.filter(({ type }) => type === 'semantic.changed')).toEqual([
    { type: 'semantic.changed', isAutomatic: true },
    { type: 'semantic.changed', isAutomatic: true },
  ])
})

test('stays stopped until the user resumes it', async () => {
  const setup = await onThisComputer()
  setup.idle(false)
  await setup.semantic.keepUp()
  const { id } = automatic(setup) ?? expect.fail('no index')
  expect(await setup.semantic.stop(id)).toMatchObject({ state: 'paused', waiting: 0, fresh: 4 })
  setup.idle(true)
  addItem(setup.store, 'new', 'New', 'The anchor was lost at the harbour.', 5000)
  setup.semantic.noticed({ type: 'library.changed', itemIds: ['new'] })
  setup.quiet()
  expect(await setup.semantic.keepUp()).toMatchObject({ state: 'paused', fresh: 5 })
  expect(setup.server.requests).toEqual([])
  await setup.semantic.resumeIndex(id)
  await eventually(() => {
    setup.pass()
    expect(automatic(setup)?.state).toBe('idle')
  })
  setup.quiet()
  await isReady(setup, 5)
})

test('fills no list of Activity, unlike an index that the user chose', async () => {
  const setup = await onThisComputer()
  await setup.semantic.keepUp()
  await isReady(setup, 4)
  expect(setup.server.requests.length).toBeGreaterThan(0)
  expect(setup.calls).toEqual([])
  await setup.semantic.begin({ ...choice, accountId: localAccountId })
  await eventually(() => expect(setup.calls.length).toBeGreaterThan(0))
})
