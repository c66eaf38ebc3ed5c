import { readFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { degrees, PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ParsedLayout } from '../../../../../../src/main/provider-client/layout-response.ts'
import { readLayout } from '../../../../../../src/main/provider-client/layout-response.ts'
import {
  readPart,
  returnedDiffers,
} from '../../../../../../src/main/domains/documents/worker/reading/merge.ts'
import type { SentPart } from '../../../../../../src/main/domains/documents/worker/reading/merge.ts'
import type { DisplayedPage } from '../../../../../../src/main/domains/documents/worker/reading/coordinates.ts'
import { startTestService } from '../../../../../local-service/fixtures/service.ts'
import type { TestService } from '../../../../../local-service/fixtures/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ clock: () => 1_700_000_000_000 })
})
afterAll(() => service.stop())

/** Parses pages of a PDF with the on-device service. */
async function parse(
  bytes: Uint8Array,
  { first, last }: Pick<SentPart, 'first' | 'last'>,
): Promise<ParsedLayout> {
  const response = await service.call('/paas/v4/layout_parsing', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'gen-ocr',
      file: `data:application/pdf;base64,${Buffer.from(bytes).toString('base64')}`,
      start_page_id: first,
      end_page_id: last,
    }),
  })
  expect(response.status).toBe(200)
  return readLayout(await response.json(), 'gen-ocr')
}

const words = 'The words of this page stand here'

/** A plain page, a rotated one (with upright words when rotated), and a cropped one. */
async function pagesOfAllKinds(): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  document.addPage([612, 792]).drawText(words, { x: 72, y: 600, size: 14, font })
  const turned = document.addPage([612, 792])
  turned.setRotation(degrees(90))
  turned.drawText(words, { x: 500, y: 100, size: 14, font, rotate: degrees(90) })
  const cropped = document.addPage([612, 792])
  cropped.setCropBox(100, 100, 400, 600)
  cropped.drawText(words, { x: 150, y: 500, size: 14, font })
  return document.save()
}

test('places boxes of plain, rotated and cropped pages where the words are visible', async () => {
  const sizes: readonly DisplayedPage[] = [
    { width: 612, height: 792 },
    { width: 792, height: 612 },
    { width: 400, height: 600 },
  ]
  const bytes = await pagesOfAllKinds()
  const part = { first: 1, last: 3, as: 'file', pages: 3 } as const
  const read = readPart(await parse(bytes, part), part, sizes)
  expect(read).toMatchObject({
    missing: [],
    surplus: [],
    aligned: true,
    regime: 'pixels',
    guessed: false,
  })
  expect(returnedDiffers(read)).toBe(false)
  // Left and bottom of the words on the displayed page.
  const expected = [
    [72 / 612, 1 - 600 / 792],
    [100 / 792, 500 / 612],
    [50 / 400, 1 - 400 / 600],
  ]
  for (const [at, { page, blocks }] of read.pages.entries()) {
    expect(page).toBe(at + 1)
    expect(blocks.map(({ content }) => content)).toEqual([expect.stringContaining(words)])
    const [block] = blocks
    expect(block?.guessed).toBe(false)
    expect(Math.abs((block?.box?.[0] ?? NaN) - (expected[at]?.[0] ?? NaN))).toBeLessThan(0.01)
    expect(Math.abs((block?.box?.[3] ?? NaN) - (expected[at]?.[1] ?? NaN))).toBeLessThan(0.015)
  }
  // A line in the top left corner of a single page could also be in thousandths; earlier responses resolve it.
  const alone = { first: 3, last: 3, as: 'range', pages: 3 } as const
  const layout = await parse(bytes, alone)
  expect(readPart(layout, alone, sizes)).toMatchObject({ regime: 'pixels', guessed: true })
  const one = readPart(layout, alone, sizes, read.regime)
  expect(one.pages).toEqual([read.pages[2]])
})

test('parses a real document into its pages with the text of its blocks', async () => {
  const sample = new URL(
    '../../../../../../../shared/samples/pdflatex-4-pages.pdf',
    import.meta.url,
  )
  // Not every copy of the repository includes the samples: the pages created above replace them.
  const found = existsSync(sample)
  const bytes = found ? await readFile(sample) : await pagesOfAllKinds()
  const count = (await PDFDocument.load(bytes)).getPageCount()
  const sizes = (await PDFDocument.load(bytes)).getPages().map((page) => page.getSize())
  const part = { first: 2, last: 3, as: 'range', pages: count } as const
  const read = readPart(await parse(bytes, part), part, found ? sizes : [])
  expect(read.pages.map(({ page }) => page)).toEqual([2, 3])
  expect(read).toMatchObject({ missing: [], surplus: [], regime: 'pixels' })
  expect(returnedDiffers(read)).toBe(false)
  const blocks = read.pages.flatMap((page) => page.blocks)
  expect(blocks.length).toBeGreaterThan(0)
  expect(blocks.every(({ box, guessed }) => box !== null && !guessed)).toBe(true)
})
