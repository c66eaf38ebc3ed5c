import { expect, test } from 'vitest'
import { documentSetup, failure, layoutOf } from './document-setup.ts'

const all = { pages: '', crops: false, layoutPictures: false } as const

test('counts failures of a part across restarts and gives up after the same total', async () => {
  const setup = await documentSetup()
  setup.answer = () => failure(500, 'server_error')
  const id = await setup.document(4)
  const version = setup.documents.parse({ id, options: all })
  await setup.quiet()
  for (let start = 1; start < 5; start++) {
    expect(setup.store.documents.parts(version.id)[0]).toMatchObject({
      failures: start,
      state: 'queued',
    })
    await setup.restart()
    await setup.tick()
  }
  expect(setup.requests).toHaveLength(5)
  expect(setup.states(version.id)).toBe('failed 4')
  expect(setup.store.documents.parts(version.id)[0]).toMatchObject({ state: 'failed' })
})

test('a manual retry resets the count', async () => {
  const setup = await documentSetup()
  setup.answer = () => failure(500, 'server_error')
  const id = await setup.document(2)
  const version = setup.documents.parse({ id, options: all })
  await setup.finish(version.id)
  expect(setup.requests).toHaveLength(5)
  setup.requests.length = 0
  setup.answer = (one) => (setup.requests.length < 5 ? failure(500, 'server_error') : layoutOf(one))
  setup.documents.retry({ versionId: version.id })
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 2')
})

test('never counts a rate limit as a failure of the part', async () => {
  const setup = await documentSetup({ places: 1 })
  setup.answer = (one) =>
    setup.requests.length <= 8 ? failure(429, 'rate_limit_exceeded') : layoutOf(one)
  const id = await setup.document(2)
  const version = setup.documents.parse({ id, options: all })
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 2')
  expect(setup.store.documents.parts(version.id)[0]).toMatchObject({ failures: 0, attempts: 9 })
})

test('parses the facts of a file once, and again when they change', async () => {
  const setup = await documentSetup()
  const id = await setup.document(300)
  const facts = setup.store.documents.facts(id)
  expect(facts?.sizes).toHaveLength(300)
  expect(setup.store.documents.facts(id)).toBe(facts)
  expect(setup.store.documents.get(id)?.facts).toBe(facts)
  if (facts) setup.store.documents.setFacts(id, { ...facts, locked: 'owner' })
  expect(setup.store.documents.facts(id)?.locked).toBe('owner')
  expect(setup.store.documents.facts('none')).toBeNull()
})
