import { createCanvas } from '@napi-rs/canvas'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../../../../fixtures/eventually.ts'
import { testApp, type TestApp } from '../../../../fixtures/app.ts'

const all = { pages: '', crops: true, layoutPictures: true } as const
const plain = { pages: '', crops: false, layoutPictures: false } as const

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(async () => {
  await app.stop()
  await app.remove()
})

/** A PDF with a heading, a paragraph and an image on each page. */
async function pdf(pages: number, password?: string): Promise<Uint8Array> {
  const made = await PDFDocument.create()
  const font = await made.embedFont(StandardFonts.Helvetica)
  const canvas = createCanvas(320, 200)
  const context = canvas.getContext('2d')
  for (let x = 0; x < 320; x += 4) {
    context.fillStyle = `rgb(${x % 255}, ${(x * 7) % 255}, ${(x * 3) % 255})`
    context.fillRect(x, 0, 4, 200)
  }
  const image = await made.embedPng(canvas.toBuffer('image/png'))
  for (let page = 1; page <= pages; page++) {
    const sheet = made.addPage([595, 842])
    sheet.drawText(`Chapter ${page}`, { x: 60, y: 760, size: 28, font })
    for (let line = 0; line < 6; line++)
      sheet.drawText(`Line ${line} of page ${page} tells of rivers, bridges and weather.`, {
        x: 60,
        y: 700 - line * 18,
        size: 12,
        font,
      })
    sheet.drawImage(image, { x: 60, y: 200, width: 320, height: 200 })
  }
  if (password !== undefined)
    // Keys of the newer encryption take seconds to create; the test of splitting uses it.
    made.encrypt({
      userPassword: password,
      ownerPassword: `${password}-owner`,
      algorithm: 'AES-128',
      allowWeakCryptography: true,
    })
  return made.save()
}

test('on-device parsing works like a provider: parts, blocks, its own images', async () => {
  const saved = await app.intake('Rivers.pdf', await pdf(2))
  if (!saved.ok) throw new Error(saved.error.message)
  const { document } = await app.call('documents.create', { mediaId: saved.data.media.id })
  expect(document).toMatchObject({ title: 'Rivers', facts: { pages: 2, locked: 'no' } })
  const { version } = await app.call('documents.parse', {
    id: document.id,
    options: all,
    fresh: false,
  })
  await eventually(async () => {
    const now = (await app.call('documents.get', { id: document.id })).document.versions[0]
    expect(now).toMatchObject({ id: version.id, state: 'done', counts: { returned: 2 } })
  })
  const { blocks } = await app.call('documents.pages', { id: document.id, first: 2, last: 2 })
  const words = blocks.map(({ content }) => content).join(' ')
  expect(words).toContain('Chapter 2')
  expect(words).toContain('rivers, bridges and weather')
  expect(blocks.every(({ page, box }) => page === 2 && box !== null)).toBe(true)
  const activity = await app.call('activity.list', { limit: 50 })
  // Once on arrival, and once with figures.
  expect(activity.calls.filter(({ operation }) => operation === 'layout.parse')).toHaveLength(2)
})

test('opens a locked PDF with its password and parses it', async () => {
  const saved = await app.intake('Locked.pdf', await pdf(1, 'sesame'))
  if (!saved.ok) throw new Error(saved.error.message)
  const { document } = await app.call('documents.create', { mediaId: saved.data.media.id })
  expect(document).toMatchObject({ unlocked: false, facts: { locked: 'user' } })
  const wrong = await app.raw('documents.unlock', { id: document.id, password: 'sesam' })
  expect(wrong).toMatchObject({ ok: false, error: { code: 'REFUSED' } })
  const opened = await app.call('documents.unlock', { id: document.id, password: 'sesame' })
  expect(opened.document).toMatchObject({ unlocked: true, facts: { pages: 1 } })
  await app.call('documents.parse', { id: document.id, options: plain, fresh: false })
  await eventually(async () => {
    const now = (await app.call('documents.get', { id: document.id })).document.versions[0]
    expect(now?.state).toBe('done')
  })
  const { blocks } = await app.call('documents.pages', { id: document.id, first: 1, last: 1 })
  expect(blocks.map(({ content }) => content).join(' ')).toContain('Line 3 of page 1')
})
