import { createCanvas } from '@napi-rs/canvas'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDocumentProgram } from '../../../../../../src/main/domains/documents/worker/program.ts'
import type { DocumentAnswer } from '../../../../../../src/main/domains/documents/worker/messages.ts'
import { pdfFacts } from '../../../../../../src/main/domains/documents/worker/pdf/facts.ts'
import { openPdf } from '../../../../../../src/main/domains/documents/worker/pdf/library.ts'
import { buildPdf, line, sharedPdf, tempFolder } from './fixture.ts'
import { withOrientation } from './jpeg.ts'

let folder: ReturnType<typeof tempFolder>
let program: ReturnType<typeof createDocumentProgram>
beforeEach(() => {
  folder = tempFolder()
  program = createDocumentProgram({ now: Date.now, openMs: 1000 })
})
afterEach(async () => {
  await program.close()
  folder.remove()
})

const facts = (path: string, password: string | null = null): Promise<DocumentAnswer> =>
  program.answer({ type: 'facts', path, password })

test('returns the pages of a PDF as displayed, and the number of their letters', async () => {
  const pdf = await buildPdf()
  const resources = { Font: { F1: pdf.font() } }
  pdf.page(line('ten letters'), { Resources: resources, Rotate: 90 })
  pdf.page('0 0 9 9 re f', { CropBox: [20, 30, 220, 380], Rotate: 180 })
  pdf.page(line('a b'), { Resources: resources, UserUnit: 2 })
  const bytes = await pdf.bytes()
  expect(await facts(folder.file('a.pdf', bytes))).toEqual({
    type: 'facts',
    facts: {
      mime: 'application/pdf',
      bytes: bytes.length,
      pages: 3,
      sizes: [
        { width: 400, height: 300 },
        { width: 200, height: 350 },
        { width: 600, height: 800 },
      ],
      locked: 'no',
      textChars: [10, 0, 2],
    },
  })
})

test('reports the password type of a locked PDF, and opens it with the password', async () => {
  const locked = await sharedPdf(2, 20)
  locked.document.encrypt({
    userPassword: 'open',
    ownerPassword: 'all',
    // The key of the newer one takes seconds to derive; splitting is tested with it.
    algorithm: 'AES-128',
    allowWeakCryptography: true,
  })
  const path = folder.file('user.pdf', await locked.bytes())
  expect(await facts(path)).toMatchObject({ facts: { locked: 'user', pages: 0, sizes: [] } })
  expect(await facts(path, 'not it')).toMatchObject({
    type: 'failed',
    code: 'REFUSED',
    params: { password: 'wrong' },
  })
  const open = { locked: 'user', pages: 2, textChars: [11, 11] }
  expect(await facts(path, 'open')).toMatchObject({ facts: open })
  expect(await facts(path, 'all')).toMatchObject({ facts: open })
  const page = { type: 'picture', path, page: 1, width: 100 } as const
  expect(await program.answer({ ...page, password: null })).toMatchObject({
    code: 'REFUSED',
    params: { password: 'needed' },
  })
  expect(await program.answer({ ...page, password: 'open' })).toMatchObject({ type: 'image' })

  const owned = await sharedPdf(1, 20)
  owned.document.encrypt({
    ownerPassword: 'all',
    algorithm: 'AES-128',
    allowWeakCryptography: true,
  })
  const other = folder.file('owner.pdf', await owned.bytes())
  for (const password of [null, 'all', 'whatever'])
    expect(await facts(other, password)).toMatchObject({
      facts: { locked: 'owner', pages: 1, textChars: [11] },
    })
})

test('marks pages not inspected in time, spread over the document', async () => {
  const pdf = await sharedPdf(40, 10)
  const opened = await openPdf(folder.file('many.pdf', await pdf.bytes()), null)
  let now = 0
  const bounds = { now: () => (now += 1), pageTextMs: 100, allTextMs: 30, maxPages: 100 }
  const { textChars } = await pdfFacts(opened, false, bounds)
  expect(textChars[0]).toBe(11)
  expect(textChars[16]).toBe(12)
  expect(textChars.filter((count) => count === -1).length).toBeGreaterThan(20)
  await expect(pdfFacts(opened, false, { ...bounds, maxPages: 39 })).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    params: { limit: 39, value: 40 },
  })
  await opened.close()
})

test('accepts thousands of pages in one flat list, and rejects one more as over the limit', async () => {
  const pages = 3000
  const kids = Array.from({ length: pages }, (_, i) => `${i + 4} 0 R`).join(' ')
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/MediaBox[0 0 300 400]/Kids[${kids}]/Count ${pages}>>`,
    '<</Length 0>>\nstream\n\nendstream',
    ...Array.from(
      { length: pages },
      (_, i) =>
        `<</Type/Page/Parent 2 0 R/Contents 3 0 R/Rotate ${90 * (i % 3)}/CropBox[${i % 7} 0 300 500]>>`,
    ),
  ]
  const body = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`)
  let at = 9
  const table = body.map((text) => {
    const entry = `${String(at).padStart(10, '0')} 00000 n \n`
    at += text.length
    return entry
  })
  const size = objects.length + 1
  const tail = `xref\n0 ${size}\n0000000000 65535 f \n${table.join('')}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF\n`
  const path = folder.file('flat.pdf', Buffer.from(`%PDF-1.7\n${body.join('')}${tail}`, 'latin1'))
  const opened = await openPdf(path, null)
  const bounds = { now: Date.now, pageTextMs: 100, allTextMs: 100, maxPages: pages }
  const found = await pdfFacts(opened, false, bounds)
  expect(found.sizes).toHaveLength(pages)
  for (const number of [1, 2, 3, 1998]) {
    const { width, height } = (await opened.document.getPage(number)).getViewport({ scale: 1 })
    expect(found.sizes[number - 1]).toEqual({ width, height })
  }
  await expect(pdfFacts(opened, false, { ...bounds, maxPages: pages - 1 })).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
  })
  await opened.close()
})

test('returns the upright size of images, from the header alone', async () => {
  const canvas = createCanvas(70, 50)
  const png = await canvas.encode('png')
  expect(await facts(folder.file('a.dat', png))).toEqual({
    type: 'facts',
    facts: {
      mime: 'image/png',
      bytes: png.length,
      pages: 1,
      sizes: [{ width: 70, height: 50 }],
      locked: 'no',
      textChars: [0],
    },
  })
  const jpeg = await createCanvas(60, 30).encode('jpeg')
  for (const order of ['II', 'MM'] as const)
    for (const [orientation, size] of [
      [1, { width: 60, height: 30 }],
      [3, { width: 60, height: 30 }],
      [6, { width: 30, height: 60 }],
    ] as const) {
      const path = folder.file('a.jpg', withOrientation(jpeg, orientation, order))
      expect(await facts(path)).toMatchObject({ facts: { mime: 'image/jpeg', sizes: [size] } })
    }
})

test('rejects files that are not documents with a code', async () => {
  const whole = Buffer.from(await (await sharedPdf(3, 40)).bytes())
  const none = await buildPdf()
  const webp = await createCanvas(9, 9).encode('webp')
  const cases: readonly (readonly [string, Uint8Array, string])[] = [
    ['empty', Buffer.alloc(0), 'EMPTY_FILE'],
    ['text', Buffer.from('just text'), 'UNSUPPORTED_FORMAT'],
    ['webp', webp, 'UNSUPPORTED_FORMAT'],
    ['no pdf inside', Buffer.from('%PDF-1.7\nnothing'), 'DAMAGED_FILE'],
    ['no version', Buffer.from('%PDF nothing'), 'DAMAGED_FILE'],
    ['without pages', await none.bytes(), 'DAMAGED_FILE'],
    ['cut', whole.subarray(0, 300), 'DAMAGED_FILE'],
    ['cut png', (await createCanvas(9, 9).encode('png')).subarray(0, 12), 'DAMAGED_FILE'],
    ['cut jpeg', (await createCanvas(9, 9).encode('jpeg')).subarray(0, 30), 'DAMAGED_FILE'],
  ]
  for (const [name, bytes, code] of cases)
    expect([name, await facts(folder.file(name, bytes))]).toMatchObject([
      name,
      { type: 'failed', code },
    ])
  expect(await facts(`${folder.path}/not there`)).toMatchObject({ code: 'FILE_MISSING' })
})
