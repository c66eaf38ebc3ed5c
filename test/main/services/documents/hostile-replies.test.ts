import { expect, test } from 'vitest'
import { documentExportWorker, layoutOf, pagesOf } from './document-setup.ts'

const all = { pages: '', crops: false, layoutPictures: false } as const

/** A reply with these fields in place of an honest one's. */
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
])('a reply of %s fails its pages by name, and the next document is parsed', async (_, fields) => {
  const desk = await documentExportWorker()
  desk.answer = () => reply({ md_results: 'x', ...fields })
  const id = await desk.document(1)
  const version = desk.documents.parse({ id, options: all })
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('failed 1')
  const [page] = desk.documents.pages({ id, first: 1, last: 1 }).pages
  expect(page?.error).toMatchObject({ code: 'MALFORMED_REPLY' })
  desk.answer = (one) => layoutOf(one)
  const next = desk.documents.parse({ id: await desk.document(3), options: all })
  await desk.finish(next.id)
  expect(desk.states(next.id)).toBe('returned 3')
})

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

test('boxes and sizes of any shape become boxes within their page, or none', async () => {
  const desk = await documentExportWorker()
  let n = 0
  const number = (): unknown => odd[(n = (n * 7 + 3) % 1009) % odd.length]
  desk.answer = (one) =>
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
  const id = await desk.document(5)
  const version = desk.documents.parse({ id, options: all })
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 5')
  const { pages, blocks } = desk.documents.pages({ id, first: 1, last: 5 })
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

test('a text full of signs that begin something is stored, found and shown', async () => {
  const desk = await documentExportWorker()
  const content = `needle ${'![['.repeat(100_000)}${'![]('.repeat(100_000)}${'<a '.repeat(100_000)}`
  desk.answer = () => reply({ md_results: 'x', layout_details: [[{ label: 'text', content }]] })
  const id = await desk.document(1)
  const version = desk.documents.parse({ id, options: all })
  await desk.finish(version.id)
  expect(desk.states(version.id)).toBe('returned 1')
  expect(desk.store.documents.find(id, 'needle').hits).toHaveLength(1)
})
