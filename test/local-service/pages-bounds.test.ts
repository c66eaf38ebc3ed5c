import { deflateSync } from 'node:zlib'
import { PDFDocument, PDFName, PDFNumber } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PageEngine } from '../../src/local-service/engines/pages.ts'
import { layoutNotice } from '../../src/local-service/endpoints/layout-notice.ts'
import { outline, readAll, startPages, problemOf } from './fixtures/pages.ts'
import { makePdf } from './fixtures/papers.ts'

const maxGrowth = 250e6

let engine: PageEngine

beforeAll(() => {
  engine = startPages(undefined, { maxGrowth })
})
afterAll(() => engine.stop())

/** Creates a small PDF with one page of images of 48 megabytes each. */
async function imageBomb(count: number): Promise<Uint8Array> {
  const side = 4000
  const data = deflateSync(Buffer.alloc(3 * side * side, 0x55), { level: 1 })
  const document = await PDFDocument.create()
  const page = document.addPage([600, 600])
  const names = Array.from({ length: count }, (_, i) => {
    const image = document.context.stream(data, {
      Type: 'XObject',
      Subtype: 'Image',
      Width: side,
      Height: side,
      ColorSpace: 'DeviceRGB',
      BitsPerComponent: 8,
      Filter: 'FlateDecode',
    })
    return page.node.newXObject(`I${i}`, document.context.register(image)).toString()
  })
  const shown = names.map((name) => `q 500 0 0 500 10 10 cm ${name} Do Q`).join('\n')
  page.node.addContentStream(document.context.register(document.context.stream(shown)))
  return document.save()
}

/** Returns the maximum growth of the process memory in bytes during a call. */
async function growthOf(call: () => Promise<unknown>): Promise<number> {
  const start = process.memoryUsage.rss()
  let peak = start
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20)
  try {
    await call()
  } finally {
    clearInterval(timer)
  }
  return peak - start
}

test('limits memory for a small file with very large images, and reads the next one', async () => {
  const bomb = await imageBomb(40)
  expect(bomb.length).toBeLessThan(12e6)
  const whole = await makePdf([(sheet) => sheet.write('Still here', 72, 700)])
  await readAll(engine, whole)
  let reason: unknown
  const growth = await growthOf(async () => {
    reason = await readAll(engine, bomb).catch((error: unknown) => error)
  })
  expect(reason).toMatchObject({
    trouble: 'damaged',
    message: 'The images need too much memory',
  })
  expect(growth).toBeLessThan(3 * maxGrowth)
  expect(outline((await readAll(engine, whole))[0])).toEqual(['text: Still here'])
}, 120_000)

const threePages = [1, 2, 3].map(
  (number) =>
    (sheet: Parameters<Parameters<typeof makePdf>[0][number]>[0]): void =>
      sheet.write(`Words of page ${number}`, 72, 700),
)

test('reports a damaged page and reads the others', async () => {
  const bytes = await makePdf(threePages, (document) => {
    const { context, catalog } = document
    // A branch of the page tree with one leaf, which is not a page.
    const leaf = context.register(PDFNumber.of(0))
    const branch = {
      Type: 'Pages',
      Count: 1,
      Kids: [leaf],
      Parent: catalog.get(PDFName.of('Pages')) ?? null,
    }
    context.assign(document.getPage(1).ref, context.obj(branch))
  })
  const pages = await readAll(engine, bytes)
  expect(pages.map((page) => outline(page))).toEqual([
    ['text: Words of page 1'],
    [],
    ['text: Words of page 3'],
  ])
  expect(pages[1]).toMatchObject({ number: 2, source: 'nothing', damaged: true })
  expect(layoutNotice(pages)).toMatch(/^Couldn’t read page 2: the file is damaged/)
  expect(await problemOf(readAll(engine, bytes, 'pdf', { from: 2, to: 2 }))).toBe('damaged')
})
