import { expect, test } from 'vitest'
import { documentExportWorker, failure, layoutOf } from './document-setup.ts'

const all = { pages: '', crops: false, layoutPictures: false } as const

test('failures of a part are counted across starts: it is given up as soon as without them', async () => {
  const desk = await documentExportWorker()
  desk.answer = () => failure(500, 'server_error')
  const id = await desk.document(4)
  const version = desk.documents.parse({ id, options: all })
  await desk.quiet()
  for (let start = 1; start < 5; start++) {
    expect(desk.store.documents.parts(version.id)[0]).toMatchObject({
      failures: start,
      state: 'queued',
    })
    await desk.restart()
    await desk.tick()
  }
  expect(desk.asked).toHaveLength(5)
  expect(desk.states(version.id)).toBe('failed 4')
  expect(desk.store.documents.parts(version.id)[0]).toMatchObject({ state: 'failed' })
})

test('somebody who tries again gets a whole new count', async () => {
  const desk = await documentExportWorker()
  desk.answer = () => failure(500, 'server_error')
  const id = await desk.document(2)
  const version = desk.documents.parse({ id, options: all })
  await desk.finish(version.id)
  expect(desk.asked).toHaveLength(5)
  desk.asked.length = 0
  desk.answer = (one) => (desk.asked.length < 5 ? failure(500, 'server_error') : layoutOf(one))
  desk.documents.retry({ versionId: version.id })
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 2')
})

test('a refusal of load is no failure of the part, however often it comes', async () => {
  const desk = await documentExportWorker({ places: 1 })
  desk.answer = (one) =>
    desk.asked.length <= 8 ? failure(429, 'rate_limit_exceeded') : layoutOf(one)
  const id = await desk.document(2)
  const version = desk.documents.parse({ id, options: all })
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 2')
  expect(desk.store.documents.parts(version.id)[0]).toMatchObject({ failures: 0, attempts: 9 })
})

test('the facts of a file are taken apart once, and again when they change', async () => {
  const desk = await documentExportWorker()
  const id = await desk.document(300)
  const facts = desk.store.documents.facts(id)
  expect(facts?.sizes).toHaveLength(300)
  expect(desk.store.documents.facts(id)).toBe(facts)
  expect(desk.store.documents.get(id)?.facts).toBe(facts)
  if (facts) desk.store.documents.setFacts(id, { ...facts, locked: 'owner' })
  expect(desk.store.documents.facts(id)?.locked).toBe('owner')
  expect(desk.store.documents.facts('none')).toBeNull()
})
