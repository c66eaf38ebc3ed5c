import { expect, test } from 'vitest'
import { documentSetup, layoutOf, pagesOf } from './document-setup.ts'

const all = { pages: '', crops: false, layoutPictures: false } as const

/** A response with these fields replaced. */
const reply = (fields: object) => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ id: 'layout-1', created: 1, model: 'glm-ocr', ...fields }),
})

test.each([
  [
    'hundreds of thousands of blocks',
    { layout_details: [Array.from({ length: 200_000 }, () => ({}))] },
  ],
  ['hundreds of thousands of pages', { layout_details: Array.from({ length: 300_000 }, () => []) }],
])(
  'a response of %s fails its pages by number, and the next document is parsed',
  async (_, fields) => {
    const setup = await documentSetup()
    setup.answer = () => reply({ md_results: 'x', ...fields })
    const id = await setup.document(1)
    const version = setup.documents.parse({ id, options: all })
    await setup.finish(version.id)
    expect(setup.states(version.id)).toBe('failed 1')
    const [page] = setup.documents.pages({ id, first: 1, last: 1 }).pages
    expect(page?.error).toMatchObject({ code: 'MALFORMED_REPLY' })
    setup.answer = (one) => layoutOf(one)
    const next = setup.documents.parse({ id: await setup.document(3), options: all })
    await setup.finish(next.id)
    expect(setup.states(next.id)).toBe('returned 3')
  },
)

const odd = [
  NaN,
  Infinity,
  -Infinity,
  1e308,
  -1e308,
  5e-324,
  -0,
  'NaN',
  'Infinity',
  '1e999',
  null,
  {},
  [],
]

test('converts boxes and sizes of any shape to boxes within their page, or none', async () => {
  const setup = await documentSetup()
  let n = 0
  const number = (): unknown => odd[(n = (n * 7 + 3) % 1009) % odd.length]
  setup.answer = (one) =>
    reply({
      md_results: 'x',
      layout_details: pagesOf(one).map(() =>
        Array.from({ length: 40 }, (__, index) => ({
          index: number(),
          label: ['text', 7, null][index % 3],
          bbox_2d: [number(), number(), number(), number()],
          width: number(),
          height: number(),
          content: `block ${index}`,
        })),
      ),
      data_info: {
        num_pages: pagesOf(one).length,
        pages: pagesOf(one).map(() => ({ width: number(), height: number() })),
      },
    })
  const id = await setup.document(5)
  const version = setup.documents.parse({ id, options: all })
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 5')
  const { pages, blocks } = setup.documents.pages({ id, first: 1, last: 5 })
  expect(blocks).toHaveLength(200)
  for (const { box, raw } of blocks) {
    for (const part of box ?? []) expect(part >= 0 && part <= 1).toBe(true)
    expect(raw === null || raw.every(Number.isFinite)).toBe(true)
  }
  for (const { raster } of pages) {
    expect(raster === null || Number.isFinite(raster.width)).toBe(true)
    expect(raster === null || Number.isFinite(raster.height)).toBe(true)
  }
})

test('stores, finds and displays a text full of special characters', async () => {
  const setup = await documentSetup()
  const content = `needle ${'![['.repeat(100_000)}${'![]('.repeat(100_000)}${'<a '.repeat(100_000)}`
  setup.answer = () => reply({ md_results: 'x', layout_details: [[{ label: 'text', content }]] })
  const id = await setup.document(1)
  const version = setup.documents.parse({ id, options: all })
  await setup.finish(version.id)
  expect(setup.states(version.id)).toBe('returned 1')
  expect(setup.store.documents.find(id, 'needle').hits).toHaveLength(1)
})
