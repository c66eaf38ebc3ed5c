import { createCanvas, loadImage } from '@napi-rs/canvas'
import { afterEach, expect, test } from 'vitest'
import { plainChat, assistantAnswerRule } from '../e2e/chat-service.ts'
import { startTestService, type TestService } from '../local-service/fixtures/service.ts'
import { bridgeOfWindow, openElectronLectern, type ElectronLectern } from './lectern.ts'

let lectern: ElectronLectern | null = null
let service: TestService | null = null
const wait = { timeout: 60_000 }
afterEach(async () => {
  await lectern?.close()
  await service?.stop()
  lectern = null
})

/** Color of a plain image, which no theme contains. */
const color = [230, 20, 160] as const
function oneColor(): Buffer {
  const canvas = createCanvas(120, 80)
  const pen = canvas.getContext('2d')
  pen.fillStyle = `rgb(${color.join()})`
  pen.fillRect(0, 0, 120, 80)
  return canvas.toBuffer('image/png')
}

/**
 * Returns the image on the clipboard, read without the app's permissions, like another program; '' when there is none.
 */
const copied = (of: ElectronLectern): Promise<string> =>
  of.page.evaluate(async () => {
    const [item] = await Clipboard.prototype.read.call(navigator.clipboard)
    if (!item?.types.includes('image/png')) return ''
    const bytes = new Uint8Array(await (await item.getType('image/png')).arrayBuffer())
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  })

test('copies an answer as an image that includes a stored image of another origin', async () => {
  const opened = await openElectronLectern()
  lectern = opened
  const { page, home } = opened
  page.setDefaultTimeout(wait.timeout)
  await page.getByRole('button', { name: 'Skip' }).click()
  service = await startTestService({ faults: true })
  const { call, intake } = bridgeOfWindow(home)
  const account = await call('accounts.create', {
    preset: 'custom',
    name: 'Beside',
    baseUrl: service.url,
  })
  await call('accounts.setKey', { id: account.id, key: service.key })
  await call('accounts.activate', { id: account.id })
  const stored = await intake('lamp.png', oneColor())
  // Origin of the page's media: `app://media/` as the stand-in's Chromium sees it.
  const { mediaBase } = await call('app.info', {})
  expect(mediaBase.startsWith(new URL(page.url()).origin)).toBe(false)
  const answer = assistantAnswerRule([`Here it is.\n\n![A lamp](${mediaBase}${stored.id})\n`], 5)
  await service.call('/__faults', { method: 'POST', body: JSON.stringify([answer]) })
  const { id } = await call('chats.create', { settings: plainChat })
  await page.evaluate((to) => void (location.hash = to), `#/chats/${id}`)
  const field = page.getByTestId('composer').getByRole('textbox')
  await field.fill('Show me the lamp')
  await field.press('Enter')
  const answerItem = page.getByTestId('answer').last().and(page.locator('[data-state="done"]'))
  await answerItem.waitFor()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await answerItem.hover()
  await answerItem.getByRole('button', { name: 'Copy as image' }).click()
  await expect.poll(() => copied(opened), wait).not.toBe('')

  const png = await loadImage(Buffer.from(await copied(opened), 'base64'))
  const canvas = createCanvas(png.width, png.height)
  const pen = canvas.getContext('2d')
  pen.drawImage(png, 0, 0)
  const { data } = pen.getImageData(0, 0, png.width, png.height)
  let colored = 0
  for (let at = 0; at < data.length; at += 4)
    if (color.every((want, n) => Math.abs(want - (data[at + n] ?? 0)) < 4)) colored += 1
  // Twice the width and height, like all such images.
  expect(colored).toBeGreaterThan(120 * 80 * 3.5)
  expect(opened.trouble).toEqual({ violations: [], errors: [], strangers: [] })
})
