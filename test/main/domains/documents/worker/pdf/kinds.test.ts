import { createCanvas, loadImage } from '@napi-rs/canvas'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  createDocumentWork,
  type DocumentWorker,
} from '../../../../../../src/main/domains/documents/worker/work.ts'
import { tempFolder } from './fixture.ts'
import { heicImages } from './heic.ts'
import { workerUrl } from '../../../../../fixtures/worker-url.ts'

let folder: ReturnType<typeof tempFolder>
let work: DocumentWorker
beforeAll(() => {
  work = createDocumentWork(workerUrl('documents'))
})
afterAll(() => work.close())
beforeEach(() => {
  folder = tempFolder()
})
afterEach(() => folder.remove())

/** Colors of the corners of an image, from the top left, row by row: r, b or w. */
async function corners(bytes: Buffer): Promise<string> {
  const image = await loadImage(bytes)
  const canvas = createCanvas(image.width, image.height)
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0)
  return [0.2, 0.8]
    .flatMap((y) => [0.2, 0.8].map((x) => [x * image.width, y * image.height] as const))
    .map(([x, y]) => {
      const [red = 0, green = 0] = context.getImageData(Math.floor(x), Math.floor(y), 1, 1).data
      return green > 128 ? 'w' : red > 128 ? 'r' : 'b'
    })
    .join('')
}

test('converts a phone photo (HEIC) to a JPEG in the orientation it was taken', async () => {
  for (const [name, width, height, colours] of [
    ['lying', 96, 64, 'rwwb'],
    ['turned', 64, 96, 'wrbw'],
  ] as const) {
    const path = folder.file(`${name}.heic`, heicImages[name])
    const to = join(folder.path, 'converted')
    const made = await work.convert({ path, to, maxBytes: 1e6 })
    expect(made).toMatchObject({ mime: 'image/jpeg', width, height, from: 'heic', scale: 1 })
    expect(await corners(readFileSync(to))).toBe(colours)
  }
})

test('reports a damaged HEIC as damaged, and reads the next one', async () => {
  const to = join(folder.path, 'to')
  for (const at of [40, 250, 400, 560]) {
    const broken = Buffer.from(heicImages.lying)
    broken.fill(0xff, at, at + 12)
    const path = folder.file('broken.heic', broken)
    const made = await work.convert({ path, to, maxBytes: 1e6 }).catch((error: unknown) => error)
    // Damage in the pixel data alone may still result in an image of that size; everything else is reported.
    if (!(made instanceof Error)) expect(made).toMatchObject({ width: 96, height: 64 })
    else
      expect(made).toMatchObject({
        code: expect.stringMatching(/^(DAMAGED_FILE|LIMIT_EXCEEDED|UNSUPPORTED_FORMAT)$/),
      })
  }
  const cut = folder.file('cut.heic', heicImages.lying.subarray(0, 380))
  await expect(work.convert({ path: cut, to, maxBytes: 1e6 })).rejects.toMatchObject({
    code: 'DAMAGED_FILE',
  })
  const whole = folder.file('whole.heic', heicImages.lying)
  expect(await work.convert({ path: whole, to, maxBytes: 1e6 })).toMatchObject({ width: 96 })
})

/** An image of each type whose header claims to be `side` pixels wide and high. */
async function bombs(side: number): Promise<readonly (readonly [kind: string, bytes: Buffer])[]> {
  const canvas = createCanvas(9, 9)
  const png = Buffer.from(await canvas.encode('png'))
  png.writeUInt32BE(side, 16)
  png.writeUInt32BE(side, 20)
  const jpeg = Buffer.from(await canvas.encode('jpeg'))
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  jpeg.writeUInt16BE(side, frame + 5)
  jpeg.writeUInt16BE(side, frame + 7)
  const gif = Buffer.from(await canvas.encode('gif'))
  gif.writeUInt16LE(side, 6)
  gif.writeUInt16LE(side, 8)
  // The GIF's screen is small, but its frame is not.
  const frames = Buffer.from(await canvas.encode('gif'))
  const image = 13 + (((frames[10] ?? 0) & 0x80) !== 0 ? 3 * 2 ** (((frames[10] ?? 0) & 7) + 1) : 0)
  const at = frames.indexOf(0x2c, image)
  frames.writeUInt16LE(side, at + 5)
  frames.writeUInt16LE(side, at + 7)
  const bmp = Buffer.alloc(90)
  bmp.write('BM')
  bmp.writeUInt32LE(bmp.length, 2)
  bmp.writeUInt32LE(54, 10)
  bmp.writeUInt32LE(40, 14)
  bmp.writeInt32LE(side, 18)
  bmp.writeInt32LE(-side, 22)
  bmp.writeUInt16LE(1, 26)
  bmp.writeUInt16LE(32, 28)
  const extended = Buffer.alloc(40)
  extended.write('RIFF\x20\0\0\0WEBPVP8X', 'latin1')
  extended.writeUInt32LE(10, 16)
  extended.writeUIntLE(side - 1, 24, 3)
  extended.writeUIntLE(side - 1, 27, 3)
  const lossy = Buffer.alloc(40)
  lossy.write('RIFF\x20\0\0\0WEBPVP8 ', 'latin1')
  lossy.writeUInt16LE(Math.min(side, 0x3fff), 26)
  lossy.writeUInt16LE(Math.min(side, 0x3fff), 28)
  const lossless = Buffer.alloc(40)
  lossless.write('RIFF\x20\0\0\0WEBPVP8L', 'latin1')
  lossless[20] = 0x2f
  lossless.writeUInt32LE(0x0fffffff, 21)
  const avif = Buffer.from(await canvas.encode('avif'))
  const heic = Buffer.from(heicImages.lying)
  for (const container of [avif, heic]) {
    const box = container.indexOf('ispe')
    container.writeUInt32BE(side, box + 8)
    container.writeUInt32BE(side, box + 12)
  }
  return [
    ['png', png],
    ['jpeg', jpeg],
    ['gif', gif],
    ['gif', frames],
    ['bmp', bmp],
    ['webp', extended],
    ['webp', lossy],
    ['webp', lossless],
    ['avif', avif],
    ['heic', heic],
  ]
}

test('refuses a small file that claims to contain a very large image before decoding it', async () => {
  for (const [kind, bytes] of await bombs(40_000)) {
    const path = folder.file(`bomb.${kind}`, bytes)
    const to = join(folder.path, 'to')
    await expect(work.convert({ path, to, maxBytes: 1e7 }), kind).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      params: { what: 'pixels', limit: 100_000_000 },
    })
    expect(existsSync(to)).toBe(false)
    const crop = work.crop({ path, password: null, page: 1, box: [0, 0, 0.01, 0.01], dpi: 72 })
    await expect(crop, kind).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  }
})

test('treats a header without a size as damage', async () => {
  const to = join(folder.path, 'to')
  for (const [kind, bytes] of await bombs(100)) {
    const path = folder.file(`cut.${kind}`, bytes.subarray(0, 17))
    await expect(work.convert({ path, to, maxBytes: 1e7 }), kind).rejects.toMatchObject({
      code: 'DAMAGED_FILE',
    })
  }
})
