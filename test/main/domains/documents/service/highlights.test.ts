import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageOf, readPdf } from '../../../../../src/main/domains/documents/worker/pdf/library.ts'
import type { RequestOf } from '../../../../../src/shared/contract/routes.ts'
import { testApp, type TestApp } from '../../../../fixtures/app.ts'
import { testImage } from '../exports/made.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(async () => {
  await app.stop()
  await app.remove()
})

/** Two pages with a line each. */
async function pdf(change: (made: PDFDocument) => void = () => {}): Promise<Uint8Array> {
  const made = await PDFDocument.create()
  const font = await made.embedFont(StandardFonts.Helvetica)
  for (const name of ['Anchor', 'Beacon'])
    made.addPage([595, 842]).drawText(`The ${name} is here.`, { x: 60, y: 700, size: 12, font })
  change(made)
  return made.save()
}
async function created(name: string, bytes: Uint8Array): Promise<string> {
  const saved = await app.intake(name, bytes)
  if (!saved.ok) throw new Error(saved.error.message)
  const { document } = await app.call('documents.create', { mediaId: saved.data.media.id })
  return document.id
}
type NewHighlight = RequestOf<'highlights.add'>['highlights'][number]
const passage = (change: Partial<NewHighlight> = {}): NewHighlight => ({
  page: 1,
  boxes: [[0.1, 0.15, 0.4, 0.18]],
  quote: 'The Anchor is here.',
  color: 'green',
  ...change,
})
async function exported(documentId: string, format: RequestOf<'highlights.export'>['format']) {
  const { media } = await app.call('highlights.export', { documentId, format, language: 'en' })
  const answer = await app.app.fetch(new Request(`http://127.0.0.1/media/${media.id}`), app.page)
  return { name: media.name, bytes: Buffer.from(await answer.arrayBuffer()) }
}
const changes = (id: string): number =>
  app.events.filter(
    ({ channel, event }) =>
      channel === 'app' && event.type === 'document.highlights' && event.id === id,
  ).length

test('tells every page about each change, and undoes a deletion', async () => {
  const documentId = await created('Changes.pdf', await pdf())
  const added = await app.call('highlights.add', {
    documentId,
    highlights: [passage(), passage({ page: 2, quote: 'The Beacon is here.', note: 'Which?' })],
  })
  expect(added.highlights).toMatchObject([
    { documentId, page: 1, quote: 'The Anchor is here.', note: '', color: 'green' },
    { documentId, page: 2, quote: 'The Beacon is here.', note: 'Which?' },
  ])
  expect(changes(documentId)).toBe(1)
  const [first, second] = added.highlights.map(({ id }) => id)
  await app.call('highlights.change', { id: first ?? '', color: 'red' })
  await app.call('highlights.change', { id: first ?? '', note: 'Look it up' })
  await app.call('highlights.remove', { ids: [second ?? ''] })
  const list = async () => (await app.call('highlights.list', { documentId })).highlights
  expect(await list()).toMatchObject([{ id: first, color: 'red', note: 'Look it up' }])
  await app.call('highlights.restore', { ids: [second ?? ''] })
  expect((await list()).map(({ id }) => id)).toEqual([first, second])
  expect(changes(documentId)).toBe(5)
  const { hits } = await app.call('library.searchEntries', { query: 'beacon which', limit: 5 })
  expect(hits).toMatchObject([{ kind: 'highlight', id: second, owner: { id: documentId } }])
})

test('refuses places that the document does not have', async () => {
  const documentId = await created('Places.pdf', await pdf())
  const add = (highlight: NewHighlight, id = documentId) =>
    app.raw('highlights.add', { documentId: id, highlights: [highlight] })
  const refused = (code: string) => ({ ok: false, error: { code } })
  expect(await add(passage({ page: 3 }))).toMatchObject(refused('BAD_REQUEST'))
  expect(await add(passage({ boxes: [[0.4, 0.1, 0.2, 0.3]] }))).toMatchObject(
    refused('BAD_REQUEST'),
  )
  expect(await add(passage({ boxes: [] }))).toMatchObject(refused('BAD_REQUEST'))
  expect(await add(passage(), 'none')).toMatchObject(refused('NOT_FOUND'))
  expect((await app.call('highlights.list', { documentId })).highlights).toEqual([])
})

test('exports quotes, notes and page numbers as text', async () => {
  const documentId = await created('Sea.pdf', await pdf((made) => made.setTitle('Text')))
  await app.call('highlights.add', {
    documentId,
    highlights: [
      passage({ page: 2, quote: 'The Beacon is here [2].', note: 'Which one?\nAsk.' }),
      passage(),
    ],
  })
  const { name, bytes } = await exported(documentId, 'md')
  expect(name).toBe('Sea – Highlights.md')
  const text = bytes.toString('utf8')
  expect(text.slice(text.indexOf('## '))).toBe(
    `## Page 1

> The Anchor is here.

## Page 2

> The Beacon is here [2].

Which one?${'  '}
Ask.

`,
  )
  const html = (await exported(documentId, 'html')).bytes.toString('utf8')
  expect(html).toContain('<blockquote>\n<p>The Beacon is here [2].</p>')
  expect((await exported(documentId, 'docx')).bytes.subarray(0, 2).toString()).toBe('PK')
})

test('writes them into a copy of the PDF, which other readers show', async () => {
  const original = await pdf((made) => made.setTitle('Copy'))
  const documentId = await created('Copy.pdf', original)
  await app.call('highlights.add', {
    documentId,
    highlights: [passage({ page: 2, color: 'blue', note: 'on page two' })],
  })
  const { name, bytes } = await exported(documentId, 'pdf')
  expect(name).toBe('Copy – Highlights.pdf')
  expect(bytes.subarray(0, original.length).equals(original)).toBe(true)
  const path = join(app.home, 'copy.pdf')
  writeFileSync(path, bytes)
  const read = await readPdf(path, null)
  try {
    expect(read.document.numPages).toBe(2)
    const annotations: readonly unknown[] = await (await pageOf(read.document, 2)).getAnnotations()
    expect(annotations).toMatchObject([
      { subtype: 'Highlight', contentsObj: { str: 'on page two' } },
    ])
  } finally {
    await read.close()
  }
})

test('says why highlights cannot be exported', async () => {
  const problem = async (documentId: string, format: string) => {
    const reply = await app.raw('highlights.export', { documentId, format, language: 'en' })
    return reply.ok ? 'none' : (reply.error.params?.['problem'] ?? reply.error.code)
  }
  const locked = await pdf((made) => made.encrypt({ userPassword: '', ownerPassword: 'owner' }))
  const encrypted = await created('Locked.pdf', locked)
  expect(await problem(encrypted, 'md')).toBe('noHighlights')
  await app.call('highlights.add', { documentId: encrypted, highlights: [passage()] })
  expect(await problem(encrypted, 'pdf')).toBe('encryptedPdf')
  expect(await problem(encrypted, 'md')).toBe('none')
  const image = await created('Photo.png', testImage(320, 200))
  await app.call('highlights.add', { documentId: image, highlights: [passage({ quote: '' })] })
  expect(await problem(image, 'pdf')).toBe('notPdf')
  expect(await problem('unknown', 'md')).toBe('NOT_FOUND')
})
