import { createCanvas, loadImage } from '@napi-rs/canvas'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { orientationOf } from '../../../../../src/main/platform/files/image-header.ts'
import {
  createDocumentWork,
  type DocumentWorker,
} from '../../../../../src/main/domains/documents/worker/work.ts'
import {
  createPartFiles,
  type PartFile,
} from '../../../../../src/main/domains/documents/service/part-files.ts'
import type { PartRecord } from '../../../../../src/main/domains/documents/store/documents-types.ts'
import type { Box } from '../../../../../src/shared/model/document.ts'
import { limitsWith } from '../../../../../src/shared/provider/limits.ts'
import { noisyJpeg, tempFolder } from '../worker/pdf/fixture.ts'
import { seenSides, withOrientation, type Side } from '../worker/pdf/jpeg.ts'
import { workerUrl } from '../../../../fixtures/worker-url.ts'

let folder: ReturnType<typeof tempFolder>
let work: DocumentWorker
beforeAll(() => {
  folder = tempFolder()
  work = createDocumentWork(workerUrl('documents'))
})
afterAll(async () => {
  await work.close()
  folder.remove()
})

const part = { first: 1, last: 1, error: null, bytes: null } as PartRecord

/** The file sent for an image. */
async function sent(path: string, limits = limitsWith({})): Promise<PartFile> {
  const facts = await work.facts(path, null)
  let serial = 0
  const ids = (): string => `part-${(serial += 1)}-${basename(path)}`.slice(-12)
  const parts = createPartFiles({ home: folder.path, work, ids })
  const [file] = await parts.prepare({ part, facts, path, password: null, limits })
  if (!file) throw new Error('nothing to send')
  return file
}

/** A box of a tenth of the image in a corner. */
function cornerBox([one, other]: readonly [Side, Side]): Box {
  const left = one === 'left' || other === 'left'
  const top = one === 'top' || other === 'top'
  return [left ? 0 : 0.9, top ? 0 : 0.9, left ? 0.1 : 1, top ? 0.1 : 1]
}

/** The color in the middle of a box: `red`, `blue` or `white`. */
async function colorIn(bytes: Uint8Array, box: Box): Promise<string> {
  const image = await loadImage(Buffer.from(bytes))
  const canvas = createCanvas(image.width, image.height)
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0)
  const x = Math.floor(((box[0] + box[2]) / 2) * image.width)
  const y = Math.floor(((box[1] + box[3]) / 2) * image.height)
  const [red = 0, green = 0, blue = 0] = context.getImageData(x, y, 1, 1).data
  if (green > 128) return 'white'
  return red > blue ? 'red' : 'blue'
}

const opposite = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' } as const

test('sends a photo as displayed, whatever its orientation: response boxes mark the same areas', async () => {
  // The first row of the stored pixels begins red and ends blue.
  const stored = createCanvas(200, 100)
  const context = stored.getContext('2d')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, 200, 100)
  context.fillStyle = '#f00'
  context.fillRect(0, 0, 30, 15)
  context.fillStyle = '#00f'
  context.fillRect(170, 0, 30, 15)
  const jpeg = await stored.encode('jpeg', 95)
  const whole: Box = [0, 0, 1, 1]
  for (const [i, [row, column]] of seenSides.entries()) {
    const orientation = i + 1
    const order = orientation % 2 === 0 ? 'II' : 'MM'
    const path = folder.file(`${orientation}.jpg`, withOrientation(jpeg, orientation, order))
    const red = cornerBox([row, column])
    const blue = cornerBox([row, opposite[column]])
    const file = await sent(path)
    expect(file.path === path).toBe(orientation === 1)
    // It contains no orientation that would rotate it again.
    expect(await orientationOf(file.path)).toBe(1)
    const bytes = await readFile(file.path)
    expect(file).toMatchObject({ mime: 'image/jpeg', bytes: bytes.length })
    const { width, height } = await loadImage(bytes)
    expect((await work.facts(path, null)).sizes).toEqual([{ width, height }])
    expect([width, height]).toEqual(orientation < 5 ? [200, 100] : [100, 200])
    // Sent, shown as a page, and cropped by a box: the corners are in the same places.
    const shown = await work.pageImage({ path, password: null, page: 1, width: 100 })
    for (const image of [bytes, shown]) {
      expect(await colorIn(image, red)).toBe('red')
      expect(await colorIn(image, blue)).toBe('blue')
    }
    for (const [box, colour] of [
      [red, 'red'],
      [blue, 'blue'],
    ] as const) {
      const crop = await work.crop({ path, password: null, page: 1, box, dpi: 150 })
      expect(await colorIn(crop, whole)).toBe(colour)
    }
  }
})

test('sends a photo over the limit smaller, and leaves the original unchanged', async () => {
  const before = withOrientation(await noisyJpeg(400, 5), 6, 'II')
  const path = folder.file('large.jpg', before)
  const limits = { ...limitsWith({}), layout: { imageBytes: 30_000, pdfBytes: 1e6, pages: 100 } }
  expect(before.length).toBeGreaterThan(limits.layout.imageBytes)
  const file = await sent(path, limits)
  expect(file.bytes).toBeLessThanOrEqual(limits.layout.imageBytes)
  expect(file.path).not.toBe(path)
  expect((await readFile(path)).equals(before)).toBe(true)
  expect((await work.facts(path, null)).sizes).toEqual([{ width: 400, height: 400 }])
})
