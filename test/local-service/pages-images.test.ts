import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import { PDFDocument } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PageEngine } from '../../src/local-service/engines/pages.ts'
import type { ReadPage } from '../../src/local-service/engines/pages/messages.ts'
import { readAll, startPages, problemOf } from './fixtures/pages.ts'
import { characterErrorRate, drawLines, makePdf } from './fixtures/papers.ts'

let engine: PageEngine

beforeAll(() => {
  engine = startPages()
})
afterAll(() => engine.stop())

const english = [
  'The quarterly report shows that revenue grew by 12.5%',
  'in the second half of the year, mostly in the north.',
  'Questions go to finance@example.org before Friday.',
]
const chinese = [
  '本季度报告显示，下半年收入增长了',
  '百分之十二，主要原因是北方市场需求',
  '旺盛。成本也有所上升，但速度较慢，',
  '因此董事会决定开设两个新办事处，',
  '一个在北京，一个在上海。',
]

const textOf = (page: ReadPage | undefined): string =>
  (page?.blocks ?? [])
    .filter(({ label }) => label === 'text')
    .map(({ content }) => content)
    .join(' ')

const squeezed = (text: string): string => text.replaceAll(/\s/g, '')

test('reads English in an image with at most 2% wrong characters', async () => {
  const canvas = drawLines(english, { width: 900, size: 26, font: 'sans-serif' })
  const [page] = await readAll(engine, canvas.toBuffer('image/png'), 'png')
  expect(page).toMatchObject({ source: 'ocr', width: 900, height: canvas.height })
  expect(characterErrorRate(english.join(' '), textOf(page))).toBeLessThanOrEqual(0.02)
}, 120_000)

test('reads Chinese in an image with at most 5% wrong characters', async () => {
  const family = GlobalFonts.families.find((font) =>
    /CJK|WenQuanYi|PingFang|YaHei/.test(font.family),
  )
  if (!family) {
    console.log('No Chinese font is installed: Chinese pictures are not checked.')
    return
  }
  const canvas = drawLines(chinese, { width: 700, size: 32, font: `"${family.family}"` })
  const [page] = await readAll(engine, canvas.toBuffer('image/jpeg'), 'jpeg')
  expect(characterErrorRate(chinese.join(''), squeezed(textOf(page)))).toBeLessThanOrEqual(0.05)
}, 120_000)

test('reads a scan in a PDF by OCR, with boxes at the positions of the words', async () => {
  const canvas = drawLines(english, { width: 900, size: 26, font: 'sans-serif' })
  const document = await PDFDocument.create()
  const embeddedImage = await document.embedPng(canvas.toBuffer('image/png'))
  document
    .addPage([450, canvas.height / 2])
    .drawImage(embeddedImage, { x: 0, y: 0, width: 450, height: canvas.height / 2 })
  const [page] = await readAll(engine, await document.save())
  expect(page?.source).toBe('ocr')
  expect(characterErrorRate(english.join(' '), textOf(page))).toBeLessThanOrEqual(0.02)
  // Half a point for each pixel of the image; the page has 200 pixels per inch.
  const scale = (0.5 / 72) * 200
  const [left = 0, top = 0] = page?.blocks[0]?.box ?? []
  expect(Math.abs(left - 40 * scale)).toBeLessThan(12)
  expect(Math.abs(top - 1.5 * 26 * 1.6 * scale + 26 * scale)).toBeLessThan(14)
}, 120_000)

test('reads a tilted line', async () => {
  const straight = drawLines(english.slice(0, 1), { width: 900, size: 26, font: 'sans-serif' })
  const canvas = createCanvas(940, 240)
  const context = canvas.getContext('2d')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, 940, 240)
  context.rotate((4 * Math.PI) / 180)
  context.drawImage(straight, 20, 20)
  const [page] = await readAll(engine, canvas.toBuffer('image/png'), 'png')
  expect(characterErrorRate(english[0] ?? '', textOf(page))).toBeLessThanOrEqual(0.06)
}, 120_000)

/** Inserts an EXIF orientation after the first marker of a JPEG. */
function turnedJpeg(jpeg: Uint8Array, orientation: number): Uint8Array {
  const exif = Buffer.from(
    '45786966000049492a000800000001001201030001000000000000000000000000',
    'hex',
  )
  exif.writeUInt16LE(orientation, 24)
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(exif.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)])
}

test('turns a photo from a rotated camera upright', async () => {
  const canvas = createCanvas(300, 200)
  const context = canvas.getContext('2d')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, 300, 200)
  context.fillStyle = '#c00'
  // At the left of the file: at the top of the photo after the clockwise rotation.
  context.fillRect(0, 20, 100, 160)
  const jpeg = turnedJpeg(canvas.toBuffer('image/jpeg'), 6)
  const [page] = await readAll(engine, jpeg, 'jpeg')
  expect([page?.width, page?.height]).toEqual([200, 300])
  const [block] = page?.blocks ?? []
  expect(block?.label).toBe('image')
  expect(block?.box[1]).toBeLessThan(10)
  expect(block?.box[3]).toBeLessThan(120)
}, 120_000)

test('returns images of a page as blocks with crops, and draws the page with its blocks', async () => {
  const photo = createCanvas(200, 100)
  const context = photo.getContext('2d')
  context.fillStyle = '#28c'
  context.fillRect(0, 0, 200, 100)
  const document = await PDFDocument.load(
    await makePdf([(sheet) => sheet.write('A word above the picture', 72, 740)]),
  )
  const png = await document.embedPng(photo.toBuffer('image/png'))
  document.getPage(0).drawImage(png, { x: 72, y: 600, width: 200, height: 100 })
  const [page] = await readAll(engine, await document.save(), 'pdf', {
    crops: true,
    visualise: true,
  })
  expect(page?.blocks.map(({ label }) => label)).toEqual(['text', 'image'])
  const [text, image] = page?.blocks ?? []
  expect(text?.crop).toBeUndefined()
  expect(image?.box).toEqual([200, 255, 756, 534])
  expect(
    Buffer.from(image?.crop ?? [])
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG')
  expect(Array.from(page?.visualisation ?? []).slice(0, 2)).toEqual([0xff, 0xd8])
}, 120_000)

test('rejects an image with too many pixels before unpacking it', async () => {
  const header = createCanvas(1, 1).toBuffer('image/png')
  header.writeUInt32BE(60_000, 16)
  header.writeUInt32BE(60_000, 20)
  expect(await problemOf(readAll(engine, header, 'png'))).toBe('damaged')
  expect(await problemOf(readAll(engine, header.subarray(0, 20), 'png'))).toBe('damaged')
  const cut = createCanvas(40, 40).toBuffer('image/jpeg').subarray(0, 180)
  expect(await problemOf(readAll(engine, cut, 'jpeg'))).toBe('damaged')
}, 120_000)

test('reads text layers without the models, and reports what is missing for images', async () => {
  const bare = startPages('/nonexistent')
  try {
    const [page] = await readAll(bare, await makePdf([(sheet) => sheet.write('One', 72, 700)]))
    expect(page?.blocks[0]?.content).toBe('One')
    const canvas = drawLines(english, { width: 900, size: 26, font: 'sans-serif' })
    const readResult = readAll(bare, canvas.toBuffer('image/png'), 'png')
    await expect(readResult).rejects.toThrow('npm run setup')
    expect(await problemOf(readResult)).toBe('engine-unavailable')
  } finally {
    await bare.stop()
  }
}, 120_000)
