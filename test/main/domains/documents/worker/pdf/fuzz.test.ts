import { PDFDocument } from '@cantoo/pdf-lib'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createDocumentWork,
  type DocumentWorker,
} from '../../../../../../src/main/domains/documents/worker/work.ts'
import { AppError } from '../../../../../../src/main/errors.ts'
import { buildPdf, line, tempFolder } from './fixture.ts'
import { workerUrl } from '../../../../../fixtures/worker-url.ts'

let folder: ReturnType<typeof tempFolder>
/** Runs in a separate worker: what pdf.js discards there cannot affect other tests. */
let work: DocumentWorker
beforeEach(() => {
  folder = tempFolder()
  work = createDocumentWork(workerUrl('documents'))
})
afterEach(async () => {
  await work.close()
  folder.remove()
})

/** Three small pages that differ in how they are displayed; all of them are quick to render. */
async function smallPdf(
  options: { readonly objectStreams?: boolean; readonly owner?: string } = {},
): Promise<Buffer> {
  const pdf = await buildPdf()
  const Resources = { Font: { F1: pdf.font() } }
  const MediaBox = [0, 0, 60, 80]
  pdf.page(line('One', 4, 40), { Resources, MediaBox, Rotate: 90 })
  pdf.page(line('Two', 14, 40), { Resources, MediaBox, CropBox: [10, 10, 50, 70] })
  pdf.page(line('Three', 4, 40), { Resources, MediaBox: [0, 0, 30, 40], UserUnit: 2 })
  if (options.owner !== undefined) pdf.document.encrypt({ ownerPassword: options.owner })
  return Buffer.from(await pdf.bytes({ objectStreams: options.objectStreams ?? false }))
}

/** A PDF built from its objects, numbered from 1; the first is the catalog. */
function rawPdf(objects: readonly string[], { version = '1.7', startAt = 0 } = {}): Buffer {
  const body = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`)
  let at = 9
  const table = body.map((text) => {
    const entry = `${String(at).padStart(10, '0')} 00000 n \n`
    at += text.length
    return entry
  })
  const size = objects.length + 1
  return Buffer.from(
    `%PDF-${version}\n${body.join('')}xref\n0 ${size}\n0000000000 65535 f \n${table.join('')}` +
      `trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${startAt || at}\n%%EOF\n`,
    'latin1',
  )
}

/** Returns the result, or the code of an AppError. */
const codeOr = <T>(pending: Promise<T>): Promise<T | string> =>
  pending.catch((error: unknown) => {
    if (error instanceof AppError) return error.code
    throw error
  })

/** Inspects and splits a file: checks the reported pages and the outcome; every part must have the pages it names. */
async function ending(name: string, bytes: Uint8Array): Promise<string> {
  const path = folder.file(`${name}.pdf`, bytes)
  const facts = await codeOr(work.facts(path, null))
  if (typeof facts === 'string') return facts
  const { pages, sizes, textChars, locked } = facts
  if (locked === 'user') return 'locked'
  expect([sizes.length, textChars.length], name).toEqual([pages, pages])
  const order = { path, password: null, first: 1, last: pages, folder: folder.path, name: 'p' }
  const split = await codeOr(work.split({ ...order, maxBytes: 1e6, raster: false }))
  if (typeof split === 'string') return `${pages} pages, ${split}`
  let next = 1
  for (const part of split) {
    expect(part.first, name).toBe(next)
    next = part.last + 1
    const written = await PDFDocument.load(readFileSync(part.path))
    expect(written.getPageCount(), name).toBe(part.last - part.first + 1)
  }
  expect(next, name).toBe(pages + 1)
  return `${pages} pages, ${split.some(({ drawn }) => drawn) ? 'drawn' : 'taken out'}`
}

const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 30 40]>>'

test('reads files with producer faults as intended, or reports them', async () => {
  const cases: readonly (readonly [name: string, bytes: Buffer, ends: string | RegExp])[] = [
    ['as it is', await smallPdf(), '3 pages, taken out'],
    ['object streams', await smallPdf({ objectStreams: true }), '3 pages, taken out'],
    ['owner', await smallPdf({ owner: 'all' }), '3 pages, taken out'],
    [
      'PDF 2.0',
      rawPdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1>>', page], {
        version: '2.0',
      }),
      '1 pages, taken out',
    ],
    [
      'table elsewhere',
      rawPdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 1>>', page], {
        startAt: 77,
      }),
      '1 pages, taken out',
    ],
    [
      'no pages',
      rawPdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>']),
      'DAMAGED_FILE',
    ],
    [
      'a tree in a circle',
      rawPdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]/Count 1>>']),
      /DAMAGED_FILE$/,
    ],
    [
      'a circle beside a page',
      rawPdf([
        '<</Type/Catalog/Pages 2 0 R>>',
        '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
        page,
        '<</Type/Pages/Parent 2 0 R/Kids[2 0 R]/Count 1>>',
      ]),
      /DAMAGED_FILE$/,
    ],
    [
      'more promised than there are',
      rawPdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 9>>', page]),
      /^1 pages|DAMAGED_FILE$/,
    ],
    ['no tree', rawPdf(['<</Type/Catalog>>', page]), /DAMAGED_FILE$/],
  ]
  for (const [name, bytes, ends] of cases) {
    const outcome = await ending(name, bytes)
    if (typeof ends === 'string') expect([name, outcome]).toEqual([name, ends])
    else expect(outcome, name).toMatch(ends)
  }
})

test('reads, draws or reports 200 damaged PDFs without delay and without missing pages', async () => {
  const wholes = [
    await smallPdf(),
    await smallPdf({ objectStreams: true }),
    await smallPdf({ owner: 'all' }),
  ]
  let state = 7
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 8) % below
  }
  const ends = new Map<string, number>()
  for (let i = 0; i < 200; i++) {
    const bytes = Buffer.from(wholes[i % wholes.length] ?? [])
    const at = random(bytes.length)
    // Truncated, a range removed, digits changed (numbers and positions of objects), or single bytes anywhere.
    if (i % 4 === 0) bytes.fill(0, at)
    else if (i % 4 === 1) bytes.copyWithin(at, Math.min(bytes.length, at + 1 + random(90)))
    else
      for (let k = 0; k < 12; k++) {
        const place = random(bytes.length)
        const isDigit = /\d/.test(String.fromCharCode(bytes[place] ?? 0))
        if (i % 4 === 3) bytes[place] = random(256)
        else if (isDigit) bytes[place] = 48 + random(10)
      }
    const outcome = await ending(`damaged-${i}`, bytes)
    const kind = outcome.replace(/^\d+ pages, /, '')
    expect(kind).toMatch(/^(taken out|drawn|locked|DAMAGED_FILE|UNSUPPORTED_FORMAT|REFUSED)$/)
    ends.set(kind, (ends.get(kind) ?? 0) + 1)
  }
  // Each outcome occurs.
  for (const kind of ['taken out', 'drawn', 'DAMAGED_FILE'])
    expect(ends.get(kind), kind).toBeGreaterThan(3)
})
