import { PDFDocument, PDFName, PDFString, degrees, type PDFObject } from '@cantoo/pdf-lib'
import { getDocument, PDFDataRangeTransport } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { describe, expect, test } from 'vitest'
import { pdfAssets } from '../../../../src/renderer/src/domains/documents/pdf/assets.ts'
import { fileRanges } from '../../../../src/renderer/src/domains/documents/pdf/file-ranges.ts'
import { readLinks } from '../../../../src/renderer/src/domains/documents/pdf/links.ts'
import {
  readBlocks,
  type ReadRange,
} from '../../../../src/renderer/src/domains/documents/pdf/read-blocks.ts'
import { readOutline } from '../../../../src/renderer/src/domains/documents/pdf/outline.ts'
import {
  outlineRows,
  outlineStep,
} from '../../../../src/renderer/src/domains/documents/pages/outline-rows.ts'

/** Three pages, the second rotated; links of every kind on the first; a table of contents with two levels. */
async function linkedPdf(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const [first, second, third] = [
    pdf.addPage([600, 800]),
    pdf.addPage([600, 800]),
    pdf.addPage([600, 800]),
  ]
  second.setRotation(degrees(90))
  const { context } = pdf
  const link = (bottom: number, key: 'Dest' | 'A', value: PDFObject) => {
    const annotation = context.obj({
      Type: 'Annot',
      Subtype: 'Link',
      Rect: [60, bottom, 180, bottom + 20],
    })
    annotation.set(PDFName.of(key), value)
    return context.register(annotation)
  }
  const action = (kind: string, key: string, value: string) => {
    const does = context.obj({ S: kind })
    does.set(PDFName.of(key), PDFString.of(value))
    return does
  }
  first.node.set(
    PDFName.of('Annots'),
    context.obj([
      link(700, 'Dest', context.obj([second.ref, 'XYZ', 0, 200, null])),
      link(600, 'A', action('URI', 'URI', 'https://example.org/a')),
      link(500, 'A', action('JavaScript', 'JS', 'app.alert(1)')),
      link(400, 'A', action('URI', 'URI', 'javascript:alert(1)')),
      link(300, 'A', action('Launch', 'F', 'calc.exe')),
      link(200, 'A', action('URI', 'URI', 'file:///etc/passwd')),
      link(100, 'Dest', PDFName.of('nowhere')),
    ]),
  )
  const outlines = context.nextRef()
  const chapter = context.nextRef()
  const part = context.nextRef()
  context.assign(
    outlines,
    context.obj({ Type: 'Outlines', First: chapter, Last: chapter, Count: 1 }),
  )
  context.assign(
    chapter,
    context.obj({
      Title: PDFString.of(' Chapter '),
      Parent: outlines,
      Dest: [third.ref, 'Fit'],
      First: part,
      Last: part,
      Count: -1,
    }),
  )
  context.assign(
    part,
    context.obj({ Title: PDFString.of('Part'), Parent: chapter, Dest: [first.ref, 'FitH', 400] }),
  )
  pdf.catalog.set(PDFName.of('Outlines'), outlines)
  return pdf.save({ useObjectStreams: false })
}

async function withPdf<T>(
  bytes: Uint8Array,
  work: (pdf: PDFDocumentProxy) => Promise<T>,
): Promise<T> {
  const task = getDocument({ data: bytes, verbosity: 0 })
  try {
    return await work(await task.promise)
  } finally {
    await task.destroy()
  }
}

test('resolves links of a page to the document or to a web URL, and executes nothing of a file', async () => {
  await withPdf(await linkedPdf(), async (pdf) => {
    const links = await readLinks(pdf, 1)
    expect(links.map(({ target }) => target)).toEqual([
      // A height in the file is a width on the rotated page: the fraction refers to the visible page.
      { kind: 'page', page: 2, top: 0 },
      { kind: 'address', url: 'https://example.org/a' },
    ])
    const [left, top, right, bottom] = links[0]?.box ?? [0, 0, 0, 0]
    expect([left, top, right, bottom].map((edge) => Math.round(edge * 1000))).toEqual([
      100, 100, 300, 125,
    ])
  })
})

test('returns the table of contents as a tree whose entries know their pages', async () => {
  await withPdf(await linkedPdf(), async (pdf) => {
    const outline = await readOutline(pdf)
    const [chapter] = outline
    expect(chapter?.title).toBe('Chapter')
    expect(await chapter?.target()).toEqual({ kind: 'page', page: 3, top: null })
    expect(await chapter?.children[0]?.target()).toEqual({ kind: 'page', page: 1, top: 0.5 })
    expect(outlineRows(outline, new Set()).map(({ title }) => title)).toEqual(['Chapter'])
    const open = new Set(['0'])
    const rows = outlineRows(outline, open)
    expect(rows.map(({ id, depth }) => [id, depth])).toEqual([
      ['0', 0],
      ['0.0', 1],
    ])
    expect(outlineStep(rows, open, '0', 'ArrowRight')).toEqual({ focus: '0.0' })
    expect(outlineStep(rows, open, '0.0', 'ArrowLeft')).toEqual({ focus: '0' })
    expect(outlineStep(rows, open, '0', 'ArrowLeft')).toEqual({ toggle: '0' })
    expect(outlineStep(rows, open, '0', 'x')).toBeNull()
  })
})

test('returns no table of contents for a document without one', async () => {
  const pdf = await PDFDocument.create()
  pdf.addPage()
  expect(await withPdf(await pdf.save(), readOutline)).toEqual([])
})

describe('reading a file in ranges', () => {
  /** Opens a file by ranges, and reads the text of its first page. */
  async function textOf(bytes: Uint8Array, read: ReadRange): Promise<string> {
    const lost = Promise.withResolvers<never>()
    const range = fileRanges(PDFDataRangeTransport, bytes.length, read, () =>
      lost.reject(new Error('lost')),
    )
    const task = getDocument({
      range,
      verbosity: 0,
      rangeChunkSize: 4096,
      disableAutoFetch: true,
      disableStream: true,
    })
    const pdf = await Promise.race([task.promise, lost.promise])
    const { items } = await (await pdf.getPage(1)).getTextContent()
    await task.destroy()
    return items.map((item) => ('str' in item ? item.str : '')).join('')
  }
  async function longPdf(): Promise<Uint8Array> {
    const pdf = await PDFDocument.create()
    let seed = 11
    const next = (): number => (seed = Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 24
    for (let page = 1; page <= 30; page++) {
      const drawn = pdf.addPage([600, 800])
      drawn.drawText(`page ${page}`, { x: 20, y: 700, size: 8 })
      // A separate image on each page, of incompressible bytes.
      const pixels = new Uint8Array(200 * 200 * 3).map(() => next())
      const image = pdf.context.flateStream(pixels, {
        Type: 'XObject',
        Subtype: 'Image',
        Width: 200,
        Height: 200,
        ColorSpace: 'DeviceRGB',
        BitsPerComponent: 8,
      })
      drawn.node.setXObject(PDFName.of('P'), pdf.context.register(image))
    }
    return pdf.save({ useObjectStreams: true })
  }

  test('reads only the ranges that the shown page needs', async () => {
    const bytes = await longPdf()
    let requestedBytes = 0
    const text = await textOf(bytes, async (begin, end) => {
      requestedBytes += end - begin
      return bytes.slice(begin, end)
    })
    expect(text).toBe('page 1')
    // pdf.js reads each page once, so one range of each is read; their images are not.
    expect(requestedBytes).toBeLessThan(bytes.length / 3)
  })

  test('reads cached blocks, so that adjacent ranges need one read', async () => {
    const file = Uint8Array.from({ length: 1050 }, (_, at) => at % 251)
    const reads: string[] = []
    const read = readBlocks({ bytes: file.length, block: 100, held: 3 }, async (begin, end) => {
      reads.push(`${begin}-${end}`)
      return file.slice(begin, end)
    })
    const { signal } = new AbortController()
    for (const [begin, end] of [
      [10, 20],
      [20, 30],
      [90, 210],
      [1000, 1050],
      [10, 20],
      [100, 800],
    ] as const)
      expect(await read(begin, end, signal)).toEqual(file.slice(begin, end))
    expect(reads).toEqual(['0-100', '100-200', '200-300', '1000-1050', '0-100', '100-800'])
  })

  test('reads a block again that could not be read', async () => {
    let calls = 0
    const read = readBlocks({ bytes: 10, block: 4, held: 2 }, async (begin, end) =>
      ++calls === 1 ? null : new Uint8Array(end - begin),
    )
    const { signal } = new AbortController()
    expect(await read(0, 3, signal)).toBeNull()
    expect(await read(0, 3, signal)).toEqual(new Uint8Array(3))
  })

  test('requests a range again that failed once', async () => {
    const bytes = await longPdf()
    let calls = 0
    const text = await textOf(bytes, async (begin, end) =>
      ++calls === 1 ? null : bytes.slice(begin, end),
    )
    expect(text).toBe('page 1')
    expect(calls).toBeGreaterThan(1)
  })

  test('reports a missing file once and permanently', async () => {
    let calls = 0
    let lost = 0
    const reported: unknown[] = []
    const range = fileRanges(
      PDFDataRangeTransport,
      100_000,
      async () => {
        calls++
        return null
      },
      () => lost++,
    )
    range.transportReady((args: unknown) => reported.push(args))
    range.requestDataRange(0, 4096)
    range.requestDataRange(4096, 8192)
    await expect.poll(() => lost).toBe(1)
    const before = calls
    range.requestDataRange(8192, 12_288)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect({ lost, reported, more: calls - before }).toEqual({ lost: 1, reported: [], more: 0 })
  })
})

test.each([
  ['http://127.0.0.1:4000/#/documents/x', 'http://127.0.0.1:4000/pdfjs/cmaps/'],
  ['app://bundle/#/documents/x', 'app://bundle/pdfjs/cmaps/'],
])('finds the pdf.js resources next to the page %s', (page, cmaps) => {
  expect(pdfAssets(page).cMapUrl).toBe(cmaps)
})
