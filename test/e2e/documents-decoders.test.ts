import { createCanvas } from '@napi-rs/canvas'
import {
  PDFDocument,
  concatTransformationMatrix,
  drawObject,
  popGraphicsState,
  pushGraphicsState,
} from '@cantoo/pdf-lib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dropFiles } from './gestures.ts'
import { openLectern, type Lectern } from './lectern.ts'

const wait = { timeout: 200_000 }
/** Colors of the left half and the right half of both images. */
const red = [200, 30, 30] as const
const blue = [20, 60, 210] as const

/** 32 by 16 pixels of JPEG 2000, made by ImageMagick: `convert -size 16x16 xc:'rgb(200,30,30)' xc:'rgb(20,60,210)' +append -quality 100 tiny.j2k`. */
const jpeg2000 =
  '/0//UQAvAAAAAAAgAAAAEAAAAAAAAAAAAAAAIAAAABAAAAAAAAAAAAADDwEBDwEBDwEB/1IADAAAAAEBBAQEAAH/XAAQQICIiJCIiJCIiJCIiJD/ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjD/kAAKAAAAAADvAAH/k8f+DAoIF36Idc/8MBQKe5gEi9/4kDADkPZ2/L/AfyCACXPn5Mf+GAoABaJ56jjH/hgKAAAlM2bHwH8hIA4FxzU3+z7+r8f+GBYADgs8VesBu8SlPr/H/hgUAA0L64H3jTM9GDHA/wDQIW4Ld7WHEF+OHfJwf8f+GCQAIW4arSENkegtx2NPcZACUDGvx/4YIgAiGsOtfiThTupQ4MuMMajchcB/IYA18jsXUep8YYnRdX/H/hgmADXyPbE+djWQloODiiLEAuRda3/H/hgkADaePQN+tjcqsdJG5t0fOGV4Cf/Z'

let lectern: Lectern
const requests: string[] = []

beforeAll(async () => {
  lectern = await openLectern({ width: 1400, height: 900 })
  lectern.page.on('request', (request) => void requests.push(request.url()))
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
})
afterAll(() => lectern.close())

/** Creates a PDF with a page that is a JPEG 2000 image, and one that is a JPEG. */
async function twoImages(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const stream = pdf.context.stream(Buffer.from(jpeg2000, 'base64'), {
    Type: 'XObject',
    Subtype: 'Image',
    Width: 32,
    Height: 16,
    ColorSpace: 'DeviceRGB',
    BitsPerComponent: 8,
    Filter: 'JPXDecode',
  })
  const first = pdf.addPage([400, 200])
  const name = first.node.newXObject('Picture', pdf.context.register(stream))
  first.pushOperators(
    pushGraphicsState(),
    concatTransformationMatrix(400, 0, 0, 200, 0, 0),
    drawObject(name),
    popGraphicsState(),
  )
  const canvas = createCanvas(320, 160)
  const context = canvas.getContext('2d')
  for (const [left, colour] of [
    [0, red],
    [160, blue],
  ] as const) {
    context.fillStyle = `rgb(${colour.join(' ')})`
    context.fillRect(left, 0, 160, 160)
  }
  const jpeg = await pdf.embedJpg(canvas.toBuffer('image/jpeg', 95))
  pdf.addPage([400, 200]).drawImage(jpeg, { x: 0, y: 0, width: 400, height: 200 })
  return pdf.save()
}

/** Returns the colors of the rendered page at a quarter and three quarters of its width. */
async function halvesOf(page: number): Promise<readonly (readonly number[])[]> {
  const canvas = lectern.page.locator(`.page[data-page="${page}"] .host canvas`)
  await canvas.waitFor(wait)
  return canvas.evaluate((element) => {
    if (!(element instanceof HTMLCanvasElement)) throw new Error('no canvas')
    const context = element.getContext('2d')
    return [0.25, 0.75].map((x) => [
      ...(context?.getImageData(element.width * x, element.height / 2, 1, 1).data.slice(0, 3) ??
        []),
    ])
  })
}

function near(colour: readonly number[] | undefined, wanted: readonly number[]): void {
  expect(colour).toHaveLength(3)
  for (const [channel, value] of wanted.entries())
    expect(Math.abs((colour?.[channel] ?? 999) - value), String(colour)).toBeLessThan(6)
}

test('renders scanned images in color, with JPEG 2000 decoded by WebAssembly', async () => {
  const { page } = lectern
  const bytes = await twoImages()
  await dropFiles(page, [{ name: 'pictures.pdf', type: 'application/pdf', bytes }])
  for (const number of [1, 2]) {
    const [left, right] = await halvesOf(number)
    near(left, red)
    near(right, blue)
  }
  const decoders = requests.filter((url) => url.includes('/pdfjs/wasm/'))
  expect(decoders.map((url) => new URL(url).pathname)).toEqual(['/pdfjs/wasm/openjpeg.wasm'])
})

test('compiles WebAssembly only in the worker, which can load only its own files', async () => {
  const { page } = lectern
  const compile = async (): Promise<string> => {
    // The smallest possible module.
    const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])
    return WebAssembly.compile(empty).then(
      () => 'compiled',
      (error: unknown) => String(error),
    )
  }
  expect(await page.evaluate(compile)).toMatch(/Content Security Policy/)
  const worker = page.workers().find((each) => /\/assets\/pdf\.worker-/.test(each.url()))
  if (!worker) throw new Error('no worker reads the document')
  expect(await worker.evaluate(compile)).toBe('compiled')
  const reached = await worker.evaluate(async () => {
    const answer = (path: string): Promise<string> =>
      fetch(path).then(
        (response) => String(response.status),
        () => 'refused',
      )
    return {
      page: await answer('/'),
      media: await answer('/media/any'),
      intake: await answer('/intake'),
      stranger: await answer('https://example.com/'),
      own: await answer('/pdfjs/wasm/openjpeg.wasm'),
    }
  })
  expect(reached).toEqual({
    page: 'refused',
    media: 'refused',
    intake: 'refused',
    stranger: 'refused',
    own: '200',
  })
})
