import { expect, test } from 'vitest'
import { documentSetup, layoutOf, pagesOf } from './document-setup.ts'

const all = { pages: '', crops: false, layoutPictures: false } as const

test('sends a long document in parts, a few at a time, and returns every page once', async () => {
  const setup = await documentSetup()
  // The first three are in flight together, or none of them gets a response.
  const three = Promise.withResolvers<void>()
  setup.answer = async (one) => {
    if (setup.requests.length === 3) three.resolve()
    await three.promise
    return { ...layoutOf(one), delayMs: 5 }
  }
  const id = await setup.document(117)
  expect(setup.documents.plan({ id, options: all })).toMatchObject({
    plan: { pages: 117, parts: 5, requests: 5 },
    reusedPages: 0,
  })
  expect(setup.requests).toHaveLength(0)
  const version = setup.documents.parse({ id, options: all })
  expect(version).toMatchObject({ number: 1, counts: { asked: 117, returned: 0 } })
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 117')
  expect(setup.requests.flatMap(pagesOf).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 117 }, (_, at) => at + 1),
  )
  expect(setup.maxInFlight()).toBe(3)
  const { pages, blocks } = setup.documents.pages({ id, first: 116, last: 117 })
  expect(pages.map(({ page, state }) => [page, state])).toEqual([
    [116, 'returned'],
    [117, 'returned'],
  ])
  expect(blocks.map(({ page, kind, content }) => [page, kind, content])).toEqual([
    [116, 'title', 'Title of page 116'],
    [116, 'text', 'Words of page 116, 第116页的文字。'],
    [117, 'title', 'Title of page 117'],
    [117, 'text', 'Words of page 117, 第117页的文字。'],
  ])
  expect(blocks[0]?.box).toEqual([100 / 1200, 50 / 1600, 900 / 1200, 120 / 1600])
  expect(setup.documents.get(id).versions[0]).toMatchObject({
    state: 'done',
    calls: 5,
    error: null,
  })
})
