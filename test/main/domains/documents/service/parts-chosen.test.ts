import { expect, test } from 'vitest'
import { settings } from '../../../../../src/shared/contract/settings.ts'
import { documentSetup, layoutOf } from './document-setup.ts'

const all = { pages: '', crops: false, layoutPictures: false } as const

test('uses the chosen part size and concurrency, also after a restart', async () => {
  const setup = await documentSetup({ places: 8 })
  setup.store.settings.update({ partPages: 4, partRequests: 5 })
  const five = Promise.withResolvers<void>()
  setup.answer = async (one) => {
    if (setup.requests.length === 5) five.resolve()
    await five.promise
    return { ...layoutOf(one), delayMs: 5 }
  }
  const id = await setup.document(20)
  await setup.restart()
  expect(setup.documents.plan({ id, options: all }).plan).toMatchObject({ parts: 5 })
  const version = setup.documents.parse({ id, options: all })
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 20')
  expect(setup.sent().toSorted()).toEqual(['1-4', '13-16', '17-20', '5-8', '9-12'])
  expect(setup.maxInFlight()).toBe(5)
})

test('limits the bytes of parts to the chosen size', async () => {
  const setup = await documentSetup()
  setup.store.settings.update({ partMegabytes: 1 })
  const mediaId = await setup.paper({ last: 10, bytes: 3 * 1024 * 1024 })
  const { document } = await setup.documents.create({ mediaId })
  const { plan } = setup.documents.plan({ id: document.id, options: all })
  expect(plan.parts).toBe(4)
})

test('rejects invalid options, and clamps those stored by another version', async () => {
  const wanted = (patch: object) => settings.update.request.safeParse(patch).success
  expect(wanted({ partPages: 24, partMegabytes: 50, partRequests: 1 })).toBe(true)
  for (const bad of [
    { partPages: 0 },
    { partPages: 101 },
    { partMegabytes: 1.5 },
    { partRequests: 11 },
  ])
    expect(wanted(bad)).toBe(false)
  const setup = await documentSetup()
  setup.store.settings.update({ partPages: 5000, partRequests: -1 })
  expect(setup.store.settings.get()).toMatchObject({ partPages: 100, partRequests: 1 })
})
