import { createCanvas, loadImage } from '@napi-rs/canvas'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDocumentProgram } from '../../../../../../src/main/domains/documents/worker/program.ts'
import type {
  ConvertedImage,
  DocumentAnswer,
} from '../../../../../../src/main/domains/documents/worker/messages.ts'
import { tempFolder } from './fixture.ts'
import { seenSides } from './jpeg.ts'
import { colorFixtures, faxFixtures } from './tiff-fixtures.ts'
import { faxRows, tiffOf, type TiffPage } from './tiff.ts'

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

const to = (): string => join(folder.path, 'made.pdf')
const convert = (bytes: Uint8Array, maxBytes = 1e8): Promise<DocumentAnswer> =>
  program.answer({ type: 'convert', path: folder.file('a.tif', bytes), to: to(), maxBytes })

async function converted(bytes: Uint8Array): Promise<ConvertedImage> {
  const answer = await convert(bytes)
  if (answer.type !== 'converted') throw new Error(JSON.stringify(answer))
  return answer.image
}

/** Returns the images of a PDF as their bytes, decompressed if they use zlib. */
function imagesIn(pdf: Buffer): { readonly filter: string; readonly bytes: Buffer }[] {
  const text = pdf.toString('latin1')
  return Array.from(
    text.matchAll(/\/Filter\/(\w+)\/Length (\d+)>>\nstream\n/g),
    ({ 0: head, 1: filter = '', 2: length = '', index }) => {
      const bytes = pdf.subarray(index + head.length, index + head.length + Number(length))
      return { filter, bytes: filter === 'FlateDecode' ? inflateSync(bytes) : bytes }
    },
  )
}

/** Returns the pixels of the only page of a TIFF, as stored in the PDF. */
async function pixelsOf(page: TiffPage, order: 'II' | 'MM' = 'II'): Promise<number[]> {
  await converted(tiffOf([page], order))
  return Array.from(imagesIn(readFileSync(to()))[0]?.bytes ?? [])
}

/** Returns letters for the colors at the centers of a page's four quarters, row by row. */
async function quarters(page = 1): Promise<string> {
  const answer = await program.answer({
    type: 'picture',
    path: to(),
    password: null,
    page,
    width: 400,
  })
  if (answer.type !== 'image') throw new Error(JSON.stringify(answer))
  const image = await loadImage(Buffer.from(answer.bytes))
  const canvas = createCanvas(image.width, image.height)
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0)
  return [0.25, 0.75]
    .flatMap((y) => [0.25, 0.75].map((x) => [x * image.width, y * image.height] as const))
    .map(([x, y]) => {
      const [red = 0, green = 0] = context.getImageData(Math.floor(x), Math.floor(y), 1, 1).data
      return green > 128 ? 'w' : red > 128 ? 'r' : 'b'
    })
    .join('')
}

test('keeps every dot and the paper size of a fax, whatever its compression', async () => {
  const rows = Array.from(faxRows(2650, 12, 3), (byte) => ~byte & 0xff)
  for (const [name, bytes] of Object.entries(faxFixtures)) {
    const made = await converted(bytes)
    expect(made).toMatchObject({ mime: 'application/pdf', from: 'tiff', width: 2650, height: 12 })
    const [image] = imagesIn(readFileSync(to()))
    expect(Array.from(image?.bytes ?? []), name).toEqual(rows)
    const answer = await program.answer({ type: 'facts', path: to(), password: null })
    if (answer.type !== 'facts') throw new Error(name)
    const [size] = answer.facts.sizes
    expect(size?.width).toBeCloseTo((2650 * 72) / 204, 1)
    expect(size?.height).toBeCloseTo((12 * 72) / 98, 1)
    expect(made.bytes).toBe(answer.facts.bytes)
  }
})

test('preserves color images in strips, tiles and planes', async () => {
  for (const [name, bytes] of Object.entries(colorFixtures)) {
    await converted(bytes)
    expect(await quarters(), name).toBe('rwwb')
  }
})

test('converts samples of all types to gray or colors on white', async () => {
  const grey = { width: 3, height: 2, samples: 1, photometric: 1 }
  const data = Uint8Array.of(0, 128, 255, 10, 20, 30)
  for (const compression of [1, 8, 32773] as const)
    expect(await pixelsOf({ ...grey, bits: 8, data, compression, rowsPerStrip: 1 })).toEqual([
      0, 128, 255, 10, 20, 30,
    ])
  expect(await pixelsOf({ ...grey, bits: 8, photometric: 0, data })).toEqual([
    255, 127, 0, 245, 235, 225,
  ])
  const four = Uint8Array.of(0x0f, 0x30, 0xff, 0x00)
  expect(await pixelsOf({ ...grey, bits: 4, data: four })).toEqual([0, 255, 51, 255, 255, 0])
  for (const order of ['II', 'MM'] as const) {
    const wide = Buffer.alloc(12)
    for (const [i, value] of [0, 0x8000, 0xffff, 0x1234, 0x00ff, 0xff00].entries())
      if (order === 'II') wide.writeUInt16LE(value, 2 * i)
      else wide.writeUInt16BE(value, 2 * i)
    expect(await pixelsOf({ ...grey, bits: 16, data: wide }, order)).toEqual([
      0, 0x80, 0xff, 0x12, 0, 0xff,
    ])
  }
  const palette = [0x1111, 0xffff, 0, 0, 0x2222, 0, 0xffff, 0, 0x3333, 0, 0, 0xffff]
  expect(
    await pixelsOf({
      width: 4,
      height: 1,
      bits: 2,
      samples: 1,
      photometric: 3,
      data: Uint8Array.of(0b00011011),
      more: { 320: palette },
    }),
  ).toEqual([0x11, 0x22, 0x33, 0xff, 0, 0, 0, 0xff, 0, 0, 0, 0xff])
  const inks = { width: 2, height: 1, bits: 8, samples: 4, photometric: 5 }
  expect(await pixelsOf({ ...inks, data: Uint8Array.of(0, 255, 255, 0, 0, 0, 0, 255) })).toEqual([
    255, 0, 0, 0, 0, 0,
  ])
  const glass = { width: 2, height: 1, bits: 8, samples: 4, photometric: 2 }
  const seen = Uint8Array.of(200, 0, 0, 255, 200, 0, 0, 0)
  expect(await pixelsOf({ ...glass, data: seen, more: { 338: 2 } })).toEqual([
    200, 0, 0, 255, 255, 255,
  ])
  const multiplied = Uint8Array.of(100, 0, 0, 128, 0, 0, 0, 0)
  expect(await pixelsOf({ ...glass, data: multiplied, more: { 338: 1 } })).toEqual([
    227, 127, 127, 255, 255, 255,
  ])
  // A sample without a visual meaning is omitted.
  expect(await pixelsOf({ ...glass, data: seen, more: { 338: 0 } })).toEqual([200, 0, 0, 200, 0, 0])
})

/** Red in the quarter where the stored rows and columns begin, blue where the first row ends. */
function marked(orientation: number): TiffPage {
  const data = new Uint8Array(40 * 20 * 3).fill(255)
  for (let y = 0; y < 10; y++)
    for (let x = 0; x < 40; x++) data.set(x < 20 ? [255, 0, 0] : [0, 0, 255], (y * 40 + x) * 3)
  const more = { 274: orientation }
  return { width: 40, height: 20, bits: 8, samples: 3, photometric: 2, data, dpi: [72, 72], more }
}

test('converts a multi-page TIFF to a document with the orientation of each page', async () => {
  const pages = seenSides.map((_, i) => marked(i + 1))
  // A reduced image of another page, as cameras add it, is not a page.
  const small = { ...marked(1), more: { 254: 1 } }
  await converted(tiffOf([...pages.slice(0, 3), small, ...pages.slice(3)]))
  const answer = await program.answer({ type: 'facts', path: to(), password: null })
  expect(answer).toMatchObject({
    facts: {
      pages: 8,
      sizes: seenSides.map((_, i) =>
        i < 4 ? { width: 40, height: 20 } : { width: 20, height: 40 },
      ),
    },
  })
  const quarter = (one: string, other: string): number =>
    ([one, other].includes('bottom') ? 2 : 0) + ([one, other].includes('right') ? 1 : 0)
  const opposite: Record<string, string> = {
    top: 'bottom',
    bottom: 'top',
    left: 'right',
    right: 'left',
  }
  for (const [i, [row, column]] of seenSides.entries()) {
    const colours = ['w', 'w', 'w', 'w']
    colours[quarter(row, column)] = 'r'
    colours[quarter(row, opposite[column] ?? '')] = 'b'
    expect(await quarters(i + 1), `orientation ${i + 1}`).toBe(colours.join(''))
  }
  // Parts are extracted like those of any other document.
  const order = { path: to(), password: null, first: 3, last: 6, folder: folder.path, name: 'p' }
  expect(
    await program.answer({ type: 'split', ...order, maxBytes: 1e6, raster: false }),
  ).toMatchObject({ parts: [{ first: 3, last: 6, drawn: null }] })
})

test('converts a page with too many colors to a JPEG of the same size', async () => {
  const side = 1100
  const data = new Uint8Array(side * side * 3)
  let state = 9
  for (let i = 0; i < data.length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    data[i] = state >>> 24
  }
  const page = { width: side, height: side, bits: 8, samples: 3, photometric: 2, data }
  await converted(tiffOf([{ ...page, rowsPerStrip: 100 }]))
  const [image] = imagesIn(readFileSync(to()))
  expect(image?.filter).toBe('DCTDecode')
  expect(await loadImage(image?.bytes ?? Buffer.alloc(0))).toMatchObject({
    width: side,
    height: side,
  })
})

test('reads a large single-strip page in bands', async () => {
  const width = 100_000
  const height = 90
  const data = Buffer.alloc(width * height)
  for (let y = 0; y < height; y++) data.fill(y, y * width, (y + 1) * width)
  const page = { width, height, bits: 8, samples: 1, photometric: 1, data }
  await converted(tiffOf([page]))
  const [image] = imagesIn(readFileSync(to()))
  expect(image?.bytes.equals(data)).toBe(true)
  const short = tiffOf([{ ...page, height: 91, data: data.subarray(0, 89 * width) }])
  expect(await convert(short)).toMatchObject({ code: 'DAMAGED_FILE', params: { page: 1 } })
})

const tiny: TiffPage = {
  width: 4,
  height: 4,
  bits: 8,
  samples: 1,
  photometric: 1,
  data: new Uint8Array(16),
}

test('reports unreadable content with its type and page, and leaves nothing behind', async () => {
  const cases: readonly (readonly [name: string, bytes: Buffer, expected: object])[] = [
    [
      'JBIG on page 2',
      tiffOf([tiny, { ...tiny, more: { 259: 34661 } }]),
      { code: 'UNSUPPORTED_FORMAT', params: { kind: 'TIFF (JBIG)', page: 2 } },
    ],
    ['Lab', tiffOf([{ ...tiny, photometric: 8 }]), { code: 'UNSUPPORTED_FORMAT' }],
    ['floating', tiffOf([{ ...tiny, more: { 339: 3 } }]), { code: 'UNSUPPORTED_FORMAT' }],
    [
      'old JPEG',
      tiffOf([{ ...tiny, photometric: 6, samples: 3, more: { 259: 6 } }]),
      { code: 'UNSUPPORTED_FORMAT' },
    ],
    ['short', tiffOf([{ ...tiny, data: new Uint8Array(12) }]), { code: 'DAMAGED_FILE' }],
    ['no zlib', tiffOf([{ ...tiny, more: { 259: 8 } }]), { code: 'DAMAGED_FILE' }],
    ['no fax', tiffOf([{ ...tiny, bits: 1, more: { 259: 4 } }]), { code: 'DAMAGED_FILE' }],
    ['no JPEG', tiffOf([{ ...tiny, more: { 259: 7 } }]), { code: 'DAMAGED_FILE' }],
    ['head alone', Buffer.from('II*\0\x08\0\0\0', 'latin1'), { code: 'DAMAGED_FILE' }],
    ['cut', tiffOf([tiny]).subarray(0, 40), { code: 'DAMAGED_FILE' }],
    [
      'bomb',
      tiffOf([tiny, { ...tiny, width: 60_000, height: 60_000, data: new Uint8Array(60_000) }]),
      { code: 'LIMIT_EXCEEDED', params: { what: 'pixels', page: 2 } },
    ],
  ]
  for (const [name, bytes, expected] of cases) {
    expect([name, await convert(bytes)]).toMatchObject([name, { type: 'failed', ...expected }])
    expect(existsSync(to()), name).toBe(false)
  }
  const circle = tiffOf([tiny])
  const at = circle.readUInt32LE(4)
  circle.writeUInt32LE(at, at + 2 + 12 * circle.readUInt16LE(at))
  expect(await convert(circle)).toMatchObject({ code: 'DAMAGED_FILE' })
  expect(await convert(tiffOf([tiny]), 300)).toMatchObject({ code: 'FILE_TOO_LARGE' })
})

test('reports damaged TIFFs or reads all their pages, without delay', async () => {
  let state = 11
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state % below
  }
  const wholes = [...Object.values(faxFixtures), ...Object.values(colorFixtures)]
  const ends = new Set<string>()
  for (let i = 0; i < 200; i++) {
    const bytes = Buffer.from(wholes[i % wholes.length] ?? [])
    const hits = 1 + random(6)
    for (let k = 0; k < hits; k++) bytes[4 + random(bytes.length - 4)] = random(256)
    const answer = await convert(i % 5 === 0 ? bytes.subarray(0, random(bytes.length)) : bytes)
    if (answer.type === 'converted') {
      const found = await program.answer({ type: 'facts', path: to(), password: null })
      expect(found).toMatchObject({ type: 'facts' })
    } else
      expect(answer).toMatchObject({
        type: 'failed',
        code: expect.stringMatching(
          /^(DAMAGED_FILE|UNSUPPORTED_FORMAT|LIMIT_EXCEEDED|EMPTY_FILE)$/,
        ),
      })
    ends.add(answer.type)
  }
  expect(ends).toEqual(new Set(['converted', 'failed']))
})
