import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RequestOf } from '../../../../../src/shared/contract/routes.ts'
import { testApp, type TestApp } from '../../../../fixtures/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(async () => {
  await app.stop()
  await app.remove()
})

/** Two pages with a line each. */
async function pdf(): Promise<Uint8Array> {
  const made = await PDFDocument.create()
  const font = await made.embedFont(StandardFonts.Helvetica)
  for (const name of ['Anchor', 'Beacon'])
    made.addPage([595, 842]).drawText(`The ${name} is here.`, { x: 60, y: 700, size: 12, font })
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
