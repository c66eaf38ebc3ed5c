import { createCanvas, GlobalFonts } from '@napi-rs/canvas'
import { PDFDocument } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomFrom } from '../fixtures/random.ts'
import { characterErrorRate } from '../local-service/fixtures/papers.ts'
import { dropFiles } from './gestures.ts'
import { openLectern, type Lectern } from './lectern.ts'

const wait = { timeout: 200_000 }
let lectern: Lectern

beforeAll(async () => {
  lectern = await openLectern({ width: 1400, height: 900 })
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
})
afterAll(() => lectern.close())

const english = [
  [
    'The lighthouse keeper wrote one letter every evening and',
    'numbered them; by the spring of 1912 there were 214.',
  ],
  [
    'None was ever posted. The harbour office paid 37.50 a month,',
    'which bought oil, bread and paper, in that order.',
  ],
  [
    'When the new lamp came, the old one was kept in a shed.',
    'Visitors still ask why it points towards the land.',
  ],
]
const chinese = [
  ['守塔人每天晚上写一封信，并且给每封', '信编上号码。到了春天，一共有两百多封。'],
  ['港务局每月付给他三十七元，用来购买', '灯油、面包和纸张。新的灯塔建成以后，'],
  ['旧灯被收藏在仓库里，游客常常会问，', '它为什么总是照着陆地的方向。'],
]
const dpi = 200
const dots = (points: number): number => Math.round((points * dpi) / 72)

/** Renders a page of paragraphs like a 200 dpi scan: slightly rotated, gray in places, grainy, a JPEG. */
function scanned(paragraphs: readonly (readonly string[])[], family: string): Buffer {
  const [width, height] = [dots(595), dots(420)]
  const canvas = createCanvas(width, height)
  const context = canvas.getContext('2d')
  const paper = context.createLinearGradient(0, 0, width, height)
  paper.addColorStop(0, '#fbfaf6')
  paper.addColorStop(1, '#ece9e0')
  context.fillStyle = paper
  context.fillRect(0, 0, width, height)
  context.translate(width / 2, height / 2)
  context.rotate((0.4 * Math.PI) / 180)
  context.translate(-width / 2, -height / 2)
  context.fillStyle = '#2b2a28'
  context.font = `${dots(12)}px ${family}`
  let top = dots(60)
  for (const lines of paragraphs) {
    for (const line of lines) {
      context.fillText(line, dots(72), top)
      top += dots(20)
    }
    top += dots(22)
  }
  const random = randomFrom(7)
  const image = context.getImageData(0, 0, width, height)
  for (let at = 0; at < image.data.length; at += 4) {
    const grain = Math.round((random() - 0.5) * 36)
    for (const channel of [at, at + 1, at + 2]) {
      image.data[channel] = Math.min(255, Math.max(0, (image.data[channel] ?? 0) + grain))
    }
  }
  context.putImageData(image, 0, 0)
  return canvas.toBuffer('image/jpeg', 80)
}

/** Creates a PDF from images of pages, without any text. */
async function bound(scans: readonly Buffer[]): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  for (const scan of scans) {
    const image = await pdf.embedJpg(scan)
    pdf.addPage([595, 420]).drawImage(image, { x: 0, y: 0, width: 595, height: 420 })
  }
  return pdf.save()
}

/** Returns the text that a page of the reader shows, paragraph by paragraph. */
async function wordsOf(page: number): Promise<string> {
  const blocks = lectern.page.locator(`[data-testid="markdown-pane"] [data-b][data-page="${page}"]`)
  await blocks.first().waitFor(wait)
  return (await blocks.allInnerTexts()).join('\n')
}
const letters = (text: string): string => text.replaceAll(/\s/g, '')

const chineseFont = GlobalFonts.families.find(({ family }) =>
  /CJK|WenQuanYi|PingFang|YaHei/.test(family),
)?.family

test('reads scanned pages without embedded text from their images', async () => {
  const { page } = lectern
  if (chineseFont === undefined)
    console.log('No Chinese font is installed: the Chinese page is not made.')
  const pages = [
    scanned(english, 'sans-serif'),
    ...(chineseFont === undefined ? [] : [scanned(chinese, `"${chineseFont}"`)]),
  ]
  const bytes = await bound(pages)
  const began = Date.now()
  await dropFiles(page, [{ name: 'scanned.pdf', type: 'application/pdf', bytes }])
  await page
    .getByTestId('parse-progress')
    .filter({ hasText: `${pages.length} of ${pages.length} page` })
    .waitFor(wait)
  expect(await page.getByTestId('parse-progress').getAttribute('title')).toMatch(
    /on-device PDF reader and OCR/,
  )
  console.log(
    `${pages.length} scanned pages, ${Math.round(bytes.length / 1024)} KiB, read in ${((Date.now() - began) / 1000).toFixed(1)} s`,
  )
})

// Clean rendered text has an error rate of 0.000 to 0.004; grain and rotation of a scan may cost at most 1 in 100 characters.
const maxWrong = 0.01

test('reads scanned English with at most 1 in 100 characters wrong', async () => {
  const rate = characterErrorRate(letters(english.flat().join('')), letters(await wordsOf(1)))
  console.log(
    `English, ${letters(english.flat().join('')).length} characters: error rate ${rate.toFixed(4)}`,
  )
  expect(rate).toBeLessThanOrEqual(maxWrong)
})

test('reads scanned Chinese with at most 1 in 100 characters wrong', async () => {
  if (chineseFont === undefined) return
  const rate = characterErrorRate(letters(chinese.flat().join('')), letters(await wordsOf(2)))
  console.log(
    `Chinese, ${letters(chinese.flat().join('')).length} characters: error rate ${rate.toFixed(4)}`,
  )
  expect(rate).toBeLessThanOrEqual(maxWrong)
})

test('finds words of a scan, and highlights them at their position in the image', async () => {
  const { page } = lectern
  await page.getByRole('searchbox', { name: 'Search documents' }).fill('"harbour office"')
  await page.getByRole('list', { name: 'Results' }).getByRole('link').first().click()
  await page
    .locator('[data-testid="markdown-pane"] .chosen', { hasText: 'harbour office' })
    .waitFor(wait)
  const marked = page.locator('[data-page="1"] .box.chosen')
  await marked.waitFor({ ...wait, state: 'attached' })
  // The second paragraph is 122 to 150 points below the top of a page of 420, rotated by 0.4 degrees.
  const place = await marked.evaluate((box) => ({
    top: parseFloat((box as HTMLElement).style.top) / 100,
    height: parseFloat((box as HTMLElement).style.height) / 100,
  }))
  console.log(`the paragraph lies at ${place.top.toFixed(3)}, ${place.height.toFixed(3)} high`)
  expect(Math.abs(place.top - (122 - 11) / 420)).toBeLessThan(0.02)
  expect(Math.abs(place.height - 36 / 420)).toBeLessThan(0.03)
})
