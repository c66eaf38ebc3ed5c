import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, PDFString } from '@cantoo/pdf-lib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { annotatePdf } from '../../../../../../src/main/domains/documents/worker/pdf/annotate.ts'
import { pageOf, readPdf } from '../../../../../../src/main/domains/documents/worker/pdf/library.ts'
import type { Box } from '../../../../../../src/shared/model/document.ts'
import type { Highlight } from '../../../../../../src/shared/model/highlight.ts'
import { buildPdf, line, seen, sharedPdf, tempFolder, type Builder } from './fixture.ts'

let folder: ReturnType<typeof tempFolder>
beforeEach(() => {
  folder = tempFolder()
})
afterEach(() => folder.remove())

const aHighlight = (change: Partial<Highlight> = {}): Highlight => ({
  id: 'h1',
  documentId: 'd1',
  page: 1,
  boxes: [[0.1, 0.2, 0.5, 0.25]],
  quote: 'the sea',
  note: '',
  color: 'yellow',
  createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  updatedAt: Date.UTC(2026, 0, 3),
  ...change,
})

/** Writes the copy, and returns its path. */
async function annotated(bytes: Uint8Array, highlights: readonly Highlight[]): Promise<string> {
  const path = folder.file('paper.pdf', bytes)
  const to = join(folder.path, 'copy.pdf')
  expect(await annotatePdf({ path, to, highlights })).toBe(readFileSync(to).length)
  // The original stays as it was.
  expect(readFileSync(path).equals(bytes)).toBe(true)
  return to
}

interface Found {
  readonly subtype: string
  readonly quads: readonly Box[]
  readonly contents: string
  readonly color: readonly number[]
}

/** Reads the annotations of a page with pdf.js, with their boxes as fractions of the page as displayed. */
async function annotationsOf(path: string, number: number): Promise<readonly Found[]> {
  const pdf = await readPdf(path, null)
  try {
    const page = await pageOf(pdf.document, number)
    const view = page.getViewport({ scale: 1 })
    const raw = (await page.getAnnotations()) as readonly {
      subtype: string
      quadPoints?: Float32Array
      contentsObj?: { str: string }
      color: Uint8ClampedArray | null
    }[]
    return raw.map(({ subtype, quadPoints, contentsObj, color }) => {
      const points = quadPoints ?? new Float32Array()
      const quads = Array.from({ length: points.length / 8 }, (_, quad): Box => {
        const corners = [0, 2, 4, 6].map((at) =>
          view.convertToViewportPoint(
            Number(points[quad * 8 + at]),
            Number(points[quad * 8 + at + 1]),
          ),
        )
        const across = corners.map(([x]) => Number(x) / view.width)
        const down = corners.map(([, y]) => Number(y) / view.height)
        return [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)]
      })
      return { subtype, quads, contents: contentsObj?.str ?? '', color: [...(color ?? [])] }
    })
  } finally {
    await pdf.close()
  }
}

const expectBoxes = (found: readonly Box[] | undefined, boxes: readonly Box[]): void => {
  expect(found?.length).toBe(boxes.length)
  for (const [at, box] of boxes.entries())
    for (const [side, value] of box.entries()) expect(found?.[at]?.[side]).toBeCloseTo(value, 4)
}

/** A page of each rotation, with a crop box that does not begin at the origin. */
async function turnedPages(): Promise<Builder> {
  const pdf = await buildPdf()
  const font = pdf.font()
  for (const rotate of [0, 90, 180, 270])
    pdf.page(line(`Turned by ${rotate}`, 80, 200), {
      Rotate: rotate,
      CropBox: [40, 30, 280, 390],
      Resources: { Font: { F1: font } },
    })
  return pdf
}

test.each([true, false])(
  'writes highlights where they are on the displayed page (object streams: %s)',
  async (objectStreams) => {
    const bytes = await (await turnedPages()).bytes({ objectStreams })
    const boxes: readonly Box[] = [
      [0.1, 0.2, 0.9, 0.24],
      [0.1, 0.26, 0.4, 0.3],
    ]
    const highlights = [1, 2, 3, 4].map((page) =>
      aHighlight({ id: `h${page}`, page, boxes, note: `Note ${page}, 海的笔记` }),
    )
    const copy = await annotated(bytes, highlights)
    for (const page of [1, 2, 3, 4]) {
      const [found, ...others] = await annotationsOf(copy, page)
      expect(others).toEqual([])
      expect(found).toMatchObject({ subtype: 'Highlight', contents: `Note ${page}, 海的笔记` })
      expectBoxes(found?.quads, boxes)
    }
    // The original is the beginning of the copy, and its pages read the same.
    expect(readFileSync(copy).subarray(0, bytes.length).equals(bytes)).toBe(true)
    const texts = (pages: Awaited<ReturnType<typeof seen>>) => pages.map(({ text }) => text)
    expect(texts(await seen(copy, [1, 2, 3, 4]))).toEqual(
      texts(await seen(folder.file('again.pdf', bytes), [1, 2, 3, 4])),
    )
  },
)

test('draws each color under the text, as readers without an own drawing show it', async () => {
  const pdf = await buildPdf()
  pdf.page('0 g 30 300 40 20 re f')
  const boxOf = (at: number): Box => [0.1, 0.1 + at * 0.2, 0.5, 0.2 + at * 0.2]
  const colors = ['yellow', 'green', 'blue', 'red'] as const
  const copy = await annotated(
    await pdf.bytes(),
    colors.map((color, at) => aHighlight({ id: color, color, boxes: [boxOf(at)] })),
  )
  const [page] = await seen(copy, [1])
  const pixel = (x: number, y: number): readonly number[] => {
    const at = (Math.floor(y * 400) * 300 + Math.floor(x * 300)) * 4
    return [...(page?.pixels.subarray(at, at + 3) ?? [])]
  }
  expect(pixel(0.05, 0.05)).toEqual([255, 255, 255])
  expect(pixel(0.4, 0.15)).toEqual([255, 225, 77])
  expect(pixel(0.4, 0.35)).toEqual([168, 224, 140])
  expect(pixel(0.4, 0.55)).toEqual([159, 211, 255])
  expect(pixel(0.4, 0.75)).toEqual([255, 168, 160])
  // The black rectangle from 0.2 to 0.25 of the page’s height ends where the first highlight does: the first one is above it.
  expect(pixel(0.15, 0.22)).toEqual([0, 0, 0])
  const found = await annotationsOf(copy, 1)
  expect(found.map(({ color }) => color)).toEqual([
    [255, 225, 77],
    [168, 224, 140],
    [159, 211, 255],
    [255, 168, 160],
  ])
})

test('leaves other annotations and pages as they were', async () => {
  const pdf = await sharedPdf(3)
  const other = pdf.add({
    Type: 'Annot',
    Subtype: 'Text',
    Rect: [10, 10, 30, 30],
    Contents: PDFString.of('an earlier comment'),
  })
  const second = pdf.document.getPage(1).node
  // Readers write the list directly or as an object of its own.
  second.set(PDFName.of('Annots'), pdf.add([other]))
  const copy = await annotated(await pdf.bytes(), [aHighlight({ page: 2 })])
  expect((await annotationsOf(copy, 2)).map(({ subtype }) => subtype)).toEqual([
    'Text',
    'Highlight',
  ])
  expect(await annotationsOf(copy, 1)).toEqual([])
  expect((await seen(copy, [3]))[0]?.text).toContain('Page 3')
})

test('writes an ID of another library as text only, and skips pages that the file does not have', async () => {
  const id = 'x) /OpenAction << /S /JavaScript >> /Y (海'
  const copy = await annotated(await (await sharedPdf(2)).bytes(), [
    aHighlight({ id }),
    aHighlight({ page: 3 }),
  ])
  const { node } = (await PDFDocument.load(readFileSync(copy))).getPage(0)
  const found = node.lookup(PDFName.of('Annots'), PDFArray).lookup(0, PDFDict)
  expect(found.lookup(PDFName.of('NM'), PDFHexString).decodeText()).toBe(id)
  expect(found.has(PDFName.of('OpenAction'))).toBe(false)
  expect(await annotationsOf(copy, 1)).toHaveLength(1)
})

test('writes the whole file again if its object table is damaged', async () => {
  const bytes = Buffer.from(await (await sharedPdf(2)).bytes({ objectStreams: false }))
  const at = bytes.lastIndexOf('startxref')
  const damaged = Buffer.concat([bytes.subarray(0, at), Buffer.from('startxref\n7\n%%EOF\n')])
  const copy = await annotated(damaged, [aHighlight({ page: 2, note: 'kept' })])
  expect(await annotationsOf(copy, 2)).toMatchObject([{ subtype: 'Highlight', contents: 'kept' }])
  expect((await seen(copy, [1, 2])).map(({ text }) => text)).toEqual([
    'Page 1 of them',
    'Page 2 of them',
  ])
})

test('says that an encrypted file is encrypted, with or without a password for reading', async () => {
  for (const userPassword of ['secret', '']) {
    const pdf = await sharedPdf(1)
    pdf.document.encrypt({ userPassword, ownerPassword: 'another' })
    const path = folder.file('locked.pdf', await pdf.bytes())
    const order = { path, to: join(folder.path, 'never.pdf'), highlights: [aHighlight()] }
    await expect(annotatePdf(order)).rejects.toMatchObject({
      code: 'REFUSED',
      params: { problem: 'encryptedPdf' },
    })
  }
})

test('says that a file that is no PDF cannot be changed', async () => {
  const path = folder.file('words.pdf', Buffer.from('only words'))
  const order = { path, to: join(folder.path, 'never.pdf'), highlights: [aHighlight()] }
  await expect(annotatePdf(order)).rejects.toMatchObject({ code: 'DAMAGED_FILE' })
})
