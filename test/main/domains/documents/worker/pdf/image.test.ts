import { createCanvas, loadImage, type Canvas } from '@napi-rs/canvas'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  createDocumentWork,
  type DocumentWorker,
} from '../../../../../../src/main/domains/documents/worker/work.ts'
import { buildPdf, noisyJpeg, sharedPdf, tempFolder } from './fixture.ts'
import { workerUrl } from '../../../../../fixtures/worker-url.ts'

const program = workerUrl('documents')

let folder: ReturnType<typeof tempFolder>
let work: DocumentWorker
beforeAll(() => {
  work = createDocumentWork(program)
})
const folders: (typeof folder)[] = []
afterAll(async () => {
  // First, because it has documents of these folders open.
  await work.close()
  for (const each of folders) each.remove()
})
beforeEach(() => {
  folder = tempFolder()
  folders.push(folder)
})

/** Red at the top left, blue at the bottom right, white between. */
function corners(width: number, height: number): Canvas {
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  context.fillStyle = '#f00'
  context.fillRect(0, 0, width / 2, height / 2)
  context.fillStyle = '#00f'
  context.fillRect(width / 2, height / 2, width / 2, height / 2)
  return canvas
}

/** Color at a position of an image, each component rounded to 0 or 255. */
async function colorAt(bytes: Uint8Array, x: number, y: number): Promise<string> {
  const image = await loadImage(Buffer.from(bytes))
  const canvas = createCanvas(image.width, image.height)
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0)
  const [r = 0, g = 0, b = 0] = context.getImageData(
    Math.floor(x * image.width),
    Math.floor(y * image.height),
    1,
    1,
  ).data
  return [r, g, b].map((part) => (part > 127 ? 'f' : '0')).join('')
}

function bitmap(): Buffer {
  const bytes = Buffer.alloc(54 + 8 * 4)
  bytes.write('BM')
  bytes.writeUInt32LE(bytes.length, 2)
  bytes.writeUInt32LE(54, 10)
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(4, 18)
  bytes.writeInt32LE(2, 22)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(32, 28)
  bytes.fill(255, 54)
  return bytes
}

test('converts images of other types to an upright PNG on white', async () => {
  const canvas = corners(40, 20)
  const images = [
    ['webp', await canvas.encode('webp')],
    ['avif', await canvas.encode('avif')],
    ['gif', await canvas.encode('gif')],
  ] as const
  for (const [kind, image] of images) {
    const path = folder.file(`a.${kind}`, image)
    const to = join(folder.path, 'converted')
    const made = await work.convert({ path, to, maxBytes: 1e6 })
    expect(made).toMatchObject({ mime: 'image/png', width: 40, height: 20, from: kind, scale: 1 })
    expect(made.bytes).toBe(statSync(to).size)
    const bytes = readFileSync(to)
    expect(await colorAt(bytes, 0.2, 0.2)).toBe('f00')
    expect(await colorAt(bytes, 0.8, 0.8)).toBe('00f')
    expect(await colorAt(bytes, 0.8, 0.2)).toBe('fff')
    expect(await work.facts(to, null)).toMatchObject({ mime: 'image/png', pages: 1 })
  }
  const to = join(folder.path, 'bmp')
  const made = await work.convert({ path: folder.file('a', bitmap()), to, maxBytes: 1e6 })
  expect(made).toMatchObject({ from: 'bmp', mime: 'image/png', width: 4, height: 2 })
})

test('reduces an image over the limit as little as needed, and reports the changes', async () => {
  const path = folder.file('noise.jpg', await noisyJpeg(500, 3))
  const to = join(folder.path, 'made.jpg')
  const large = await work.convert({ path, to, maxBytes: 1e6 })
  expect(large).toMatchObject({ mime: 'image/jpeg', quality: 92, scale: 1, from: 'jpeg' })
  const small = await work.convert({ path, to, maxBytes: 60_000 })
  expect(small.bytes).toBeLessThanOrEqual(60_000)
  expect(small.scale).toBeLessThan(1)
  expect(small.width).toBe(Math.round(500 * small.scale))
  await expect(work.convert({ path, to, maxBytes: 50 })).rejects.toMatchObject({
    code: 'FILE_TOO_LARGE',
  })
})

test('reports a code for a file that is not an image, or not a readable one', async () => {
  const to = join(folder.path, 'to')
  const attempt = (bytes: Uint8Array): Promise<unknown> =>
    work.convert({ path: folder.file('a', bytes), to, maxBytes: 1e6 })
  await expect(attempt(Buffer.from('text'))).rejects.toMatchObject({ code: 'UNSUPPORTED_FORMAT' })
  await expect(attempt(Buffer.from('II*\0aaaaaaaaaaaa'))).rejects.toMatchObject({
    code: 'DAMAGED_FILE',
  })
  await expect(attempt(Buffer.alloc(0))).rejects.toMatchObject({ code: 'EMPTY_FILE' })
  await expect(attempt(Buffer.from('GIF89a damaged'))).rejects.toMatchObject({
    code: 'DAMAGED_FILE',
  })
})

test('draws a page at a width, and a region of it in dots per inch', async () => {
  const pdf = await buildPdf()
  // Red at the top left and blue at the bottom right, as the rotated page is displayed.
  pdf.page('1 0 0 rg 0 0 150 200 re f 0 0 1 rg 150 200 150 200 re f', { Rotate: 90 })
  const path = folder.file('a.pdf', await pdf.bytes())
  const strip = await work.pageImage({ path, password: null, page: 1, width: 160 })
  const image = await loadImage(Buffer.from(strip))
  expect([image.width, image.height]).toEqual([160, 120])
  expect(await colorAt(strip, 0.2, 0.2)).toBe('f00')
  expect(await colorAt(strip, 0.8, 0.8)).toBe('00f')
  expect(await colorAt(strip, 0.2, 0.8)).toBe('fff')
  const box = [0.4, 0.4, 0.6, 0.6] as const
  const crop = await work.crop({ path, password: null, page: 1, box, dpi: 144 })
  const cut = await loadImage(Buffer.from(crop))
  expect([cut.width, cut.height]).toEqual([160, 120])
  expect(await colorAt(crop, 0.2, 0.2)).toBe('f00')
  expect(await colorAt(crop, 0.8, 0.8)).toBe('00f')
  await expect(work.pageImage({ path, password: null, page: 2, width: 9 })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })
})

test('treats a photo as a page', async () => {
  const path = folder.file('a.jpg', await corners(400, 200).encode('jpeg'))
  const strip = await work.pageImage({ path, password: null, page: 1, width: 160 })
  const image = await loadImage(Buffer.from(strip))
  expect([image.width, image.height]).toEqual([160, 80])
  const crop = await work.crop({ path, password: null, page: 1, box: [0.5, 0.5, 1, 1], dpi: 150 })
  const cut = await loadImage(Buffer.from(crop))
  expect([cut.width, cut.height]).toEqual([200, 100])
  expect(await colorAt(crop, 0.5, 0.5)).toBe('00f')
})

test('splits a file in the worker, and detects its change', async () => {
  const path = folder.file('a.pdf', await (await sharedPdf(3, 40)).bytes())
  const order = { path, password: null, folder: folder.path, name: 'p', maxBytes: 1e6 }
  expect(await work.facts(path, null)).toMatchObject({ pages: 3 })
  const parts = await work.split({ ...order, first: 2, last: 3, raster: false })
  expect(parts).toMatchObject([{ first: 2, last: 3, drawn: null, mime: 'application/pdf' }])
  const drawn = await work.split({ ...order, first: 1, last: 1, raster: true })
  expect(drawn).toMatchObject([{ drawn: { dpi: 200, quality: 85 } }])
  folder.file('a.pdf', await (await sharedPdf(5, 40)).bytes())
  expect(await work.facts(path, null)).toMatchObject({ pages: 5 })
  const image = folder.file('a.png', await corners(9, 9).encode('png'))
  expect(
    await work.split({ ...order, path: image, first: 1, last: 1, raster: false }),
  ).toMatchObject([{ path: image, mime: 'image/png' }])
})
