import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pdfBomb } from '../fixtures/pdf-bomb.ts'
import { bridgeOfWindow, openElectronLectern, type ElectronLectern } from './lectern.ts'
import { chooseThisComputer } from './steps.ts'

let lectern: ElectronLectern
const wait = { timeout: 90_000 }

beforeAll(async () => {
  lectern = await openElectronLectern()
  await chooseThisComputer(lectern.page)
})
afterAll(() => lectern.close())

test('ends only its own utility process for a PDF bomb and reads the next PDF in a new one', async () => {
  const { call, raw, intake } = bridgeOfWindow(lectern.home)
  const bomb = await intake('Bomb.pdf', pdfBomb(1500))
  const refused = await raw('documents.create', { mediaId: bomb.id })
  const id = refused.ok ? (refused.data as { document: { id: string } }).document.id : null
  // As in test/security/pdf-bomb.
  expect(
    id === null ? refused : await raw('documents.image', { id, page: 1, width: 1240 }),
  ).toMatchObject({
    ok: false,
    error: {
      code: 'DAMAGED_FILE',
      params: { problem: expect.stringMatching(/^(?:memory|time)$/) },
    },
  })
  const made = await PDFDocument.create()
  const font = await made.embedFont(StandardFonts.Helvetica)
  made.addPage([595, 842]).drawText('An ordinary letter', { x: 60, y: 760, size: 14, font })
  const letter = await intake('Letter.pdf', await made.save())
  const { document } = await call('documents.create', { mediaId: letter.id })
  const options = { pages: '', crops: false, layoutPictures: false }
  await call('documents.parse', { id: document.id, options, fresh: false })
  const state = async (): Promise<string | undefined> =>
    (await call('documents.get', { id: document.id })).document.versions[0]?.state
  await expect.poll(state, wait).toBe('done')
  const { blocks } = await call('documents.pages', { id: document.id, first: 1, last: 1 })
  expect(blocks.map(({ content }) => content)).toEqual(['An ordinary letter'])
})
