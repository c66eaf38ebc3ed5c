import { readFile } from 'node:fs/promises'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unzipped } from '../../../../fixtures/unzip.ts'
import { imageOf } from '../../../../../src/main/domains/documents/exports/images.ts'
import type { RequestOf } from '../../../../../src/shared/contract/routes.ts'
import { testApp, type TestApp } from '../../../../fixtures/app.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import { testImage } from '../exports/made.ts'

let app: TestApp
let id = ''

/** Three pages, each with its own line and an image. */
async function pdf(): Promise<Uint8Array> {
  const made = await PDFDocument.create()
  const font = await made.embedFont(StandardFonts.Helvetica)
  const blue = await made.embedPng(testImage(320, 200))
  for (const name of ['Anchor', 'Beacon', 'Compass']) {
    const page = made.addPage([595, 842])
    page.drawText(`The ${name} is on its own page, and tells of it.`, {
      x: 60,
      y: 700,
      size: 12,
      font,
    })
    page.drawImage(blue, { x: 60, y: 200, width: 320, height: 200 })
  }
  return made.save()
}

/** The page that was printed last. */
let printed = ''

beforeAll(async () => {
  app = await testApp({
    async printPdf(path) {
      printed = await readFile(path, 'utf8')
      return new TextEncoder().encode('%PDF-1.7')
    },
  })
  const saved = await app.intake('Sea.pdf', await pdf())
  if (!saved.ok) throw new Error(saved.error.message)
  ;({
    document: { id },
  } = await app.call('documents.create', { mediaId: saved.data.media.id }))
  await app.call('documents.parse', {
    id,
    options: { pages: '', crops: false, layoutPictures: false },
    fresh: false,
  })
  await eventually(async () => {
    expect((await app.call('documents.get', { id })).document.versions[0]?.state).toBe('done')
  })
})
afterAll(async () => {
  await app.stop()
  await app.remove()
})

/** An exported file, fetched as the page would. */
async function exported(
  request: Partial<RequestOf<'documents.export'>> & Pick<RequestOf<'documents.export'>, 'format'>,
): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const { media } = await app.call('documents.export', { id, language: 'en', ...request })
  const answer = await app.app.fetch(new Request(`http://127.0.0.1/media/${media.id}`), app.page)
  return { name: media.name, bytes: Buffer.from(await answer.arrayBuffer()) }
}

test('prints a PDF from the page that is exported, with its images', async () => {
  const { name, bytes } = await exported({ format: 'pdf', pages: '2' })
  expect([name, bytes.toString()]).toEqual(['Sea.pdf', '%PDF-1.7'])
  expect(printed).toContain('Beacon')
  expect(printed).not.toContain('Anchor')
  expect(printed.match(/<img/g)?.length).toBe(
    (await exported({ format: 'html', pages: '2' })).bytes.toString().match(/<img/g)?.length,
  )
})

test('exports some of the pages, as specified by text', async () => {
  const { bytes } = await exported({ format: 'txt', pages: '3, 1' })
  const pages = bytes.toString('utf8').split('\f')
  expect(pages[0]).toContain('Anchor')
  expect(pages[1]).toBe('')
  expect(pages[2]).toContain('Compass')
  const wrong = await app.raw('documents.export', { id, language: 'en', format: 'txt', pages: '7' })
  expect(wrong).toMatchObject({ ok: false, error: { code: 'BAD_REQUEST', params: { piece: '7' } } })
})

test('adds page marks to the text on request', async () => {
  const marked = await exported({ format: 'html', pageMarks: true, images: 'none' })
  expect(marked.bytes.toString('utf8')).toContain('<p class="mark">Page 2</p>')
  const plain = await exported({ format: 'html', images: 'none' })
  expect(plain.bytes.toString('utf8')).not.toContain('class="mark"')
})

test('adds highlights with their notes below their page, and the origin of the text, on request', async () => {
  await app.call('highlights.add', {
    documentId: id,
    highlights: [
      {
        page: 2,
        boxes: [[0.1, 0.1, 0.5, 0.2]],
        quote: 'tells of it',
        note: 'Ask Ada',
        color: 'yellow',
      },
    ],
  })
  const texts = async (more: object) => {
    const text = async (format: 'md' | 'html' | 'docx') => {
      const { bytes } = await exported({ format, images: 'none', ...more })
      if (format !== 'docx') return bytes.toString('utf8')
      const file = unzipped(bytes).find(({ name }) => name === 'word/document.xml')
      return file?.bytes.toString('utf8') ?? ''
    }
    await exported({ format: 'pdf', images: 'none', ...more })
    return [await text('md'), await text('html'), await text('docx'), printed]
  }
  for (const text of await texts({})) {
    expect(text).not.toMatch(/Ask Ada|Pages requested|^---/)
    expect(text).toContain('Beacon')
  }
  for (const text of await texts({ highlights: true })) {
    // After the text of its own page: the quote and the note.
    expect(text).toMatch(/Beacon[^]*Highlights[^]*tells of it[^]*Ask Ada[^]*Compass/)
  }
  for (const text of await texts({ details: true })) expect(text).toContain('Pages requested: 3')
  const { bytes } = await exported({ format: 'json', highlights: true })
  expect(bytes.toString('utf8')).not.toContain('Ask Ada')
})

test('refuses to write a document that was not parsed', async () => {
  const saved = await app.intake('Later.pdf', await pdf())
  if (!saved.ok) throw new Error(saved.error.message)
  const { document } = await app.call('documents.create', { mediaId: saved.data.media.id })
  const request = { id: document.id, language: 'en', format: 'md' } as const
  expect(await app.raw('documents.export', request)).toMatchObject({
    ok: false,
    error: { code: 'REFUSED', params: { problem: 'notParsed' } },
  })
})

test('saves a page written by Lectern as an HTML page', async () => {
  const { media } = await app.call('documents.export', { id, language: 'en', format: 'html' })
  const savedAs = async (mediaId: string, name: string): Promise<string> => {
    const outcome = await app.call('files.save', { media: mediaId, name })
    if (outcome.state !== 'download') throw new Error(outcome.state)
    const address = new Request(`http://127.0.0.1/media/${outcome.media}`, { method: 'HEAD' })
    const { headers } = await app.app.fetch(address, app.page)
    return headers.get('content-disposition') ?? ''
  }
  expect(await savedAs(media.id, media.name)).toContain('Sea.html"')
})

test('crops images that a text refers to by position, with the requested margin and resolution', async () => {
  const { blocks } = await app.call('documents.pages', { id, first: 2, last: 2 })
  const words = blocks.find(({ content }) => content.includes('Beacon'))
  if (!words?.box) throw new Error('the page has no words')
  const text = `Beacon ![light](page=1,bbox=[0.1, 0.5, 0.6, 0.8]) <table><tr><td><img src="page=1,bbox=[0.1, 0.1, 0.3, 0.2]"></td></tr></table>`
  await app.call('documents.edit', { id, blockId: words.id, text })
  const sizes = async (options: { dpi: 150 | 200; margin: number }) => {
    const { bytes } = await exported({ format: 'md', pages: '2', ...options })
    return unzipped(bytes).flatMap((entry) => {
      const read = entry.name.endsWith('.png') ? imageOf(entry.bytes) : null
      return read ? [[read.width, read.height] as const] : []
    })
  }
  const coarse = await sizes({ dpi: 150, margin: 0 })
  const fine = await sizes({ dpi: 200, margin: 0.05 })
  expect(coarse.length).toBeGreaterThanOrEqual(2)
  expect(fine).toHaveLength(coarse.length)
  // Half the page is 298 points wide, 620 pixels at 150 dpi; 826 at 200 dpi, plus a tenth of the page.
  const near = (wanted: number) => (pair: readonly [number, number]) =>
    Math.abs(pair[0] - wanted) < 5
  expect(coarse.some(near(620))).toBe(true)
  expect(fine.some(near(826 + 165))).toBe(true)
})
