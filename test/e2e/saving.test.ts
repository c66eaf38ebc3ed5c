import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FileHost, SaveDialogOptions } from '../../src/main/host.ts'
import { openBrowser } from '../fixtures/chromium.ts'
import { sineWav } from '../fixtures/wav.ts'
import { findings } from './axe.ts'

// Page and media have two origins here, as in the window: `download` has no effect across origins, and a link to media navigates.

const audio = sineWav({ seconds: 0.5, hz: 440 })
const rendererDir =
  process.env['LECTERN_RENDERER'] ?? join(import.meta.dirname, '../../out/renderer')
const wait = { timeout: 20_000 }

/** Result of `openTwoOrigins`, with its page. */
interface Opened {
  readonly page: Page
  readonly origin: string
  close(): Promise<void>
}

async function open(fileHost?: FileHost): Promise<Opened> {
  // Not a path that the compiler follows: the app is not part of the page program, whose types these tests use.
  const place = new URL('../fixtures/two-origins.ts', import.meta.url).href
  const { openTwoOrigins } = (await import(/* @vite-ignore */ place)) as {
    openTwoOrigins(options: object): Promise<{
      readonly launchUrl: string
      readonly origin: string
      close(): Promise<void>
    }>
  }
  const host = await openTwoOrigins({ sound: audio, rendererDir, fileHost })
  const browser = await openBrowser()
  const page = await browser.page()
  await page.goto(host.launchUrl)
  await page.getByRole('navigation').first().waitFor(wait)
  return {
    page,
    origin: host.origin,
    async close() {
      await browser.close()
      await host.close()
    },
  }
}

/** Returns the element that saves the file of the run, whatever its type. */
const saveButton = (page: Page) => page.getByText('Save tone.wav')
const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' })
async function openRun({ page }: Opened): Promise<void> {
  await page.evaluate(() => (location.hash = '#/playground/runs/run-1'))
  await saveButton(page).waitFor(wait)
}

describe('with native dialogs', () => {
  let lectern: Opened
  let folder = ''
  let chosen: string | null = null
  const requests: SaveDialogOptions[] = []
  const shown: string[] = []
  const dragged: string[] = []
  const fileHost: FileHost = {
    async saveDialog(request) {
      requests.push(request)
      return chosen
    },
    rememberFolder: async () => {},
    openDialog: async () => null,
    showInFolder: async (path) => void shown.push(path),
    startDrag: async (path) => void dragged.push(path),
  }
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lectern-chosen-'))
    lectern = await open(fileHost)
    await openRun(lectern)
  })
  beforeEach(() => {
    chosen = null
    requests.length = 0
  })
  afterAll(async () => {
    await lectern.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('saves a media link to the chosen path without navigating', async () => {
    const { page, origin } = lectern
    chosen = join(folder, 'My tone.wav')
    await saveButton(page).click()
    await toasts(page).getByText('Saved “My tone.wav”').waitFor(wait)
    expect(requests).toEqual([{ suggestedName: 'tone.wav', extension: 'wav', use: 'audio' }])
    expect(await readFile(chosen)).toEqual(Buffer.from(audio))
    expect(new URL(page.url()).origin).toBe(origin)
    expect(await findings(page)).toEqual([])
    await toasts(page).getByRole('button', { name: 'Show in folder' }).click()
    await expect.poll(() => shown).toEqual([chosen])
  })

  test('changes nothing when the dialog is canceled', async () => {
    const { page } = lectern
    const before = await readdir(folder)
    await saveButton(page).click()
    await expect.poll(() => requests.length).toBe(1)
    await page.waitForTimeout(300)
    expect(await toasts(page).getByText('aved').count()).toBe(0)
    expect(await readdir(folder)).toEqual(before)
  })

  test('reports a missing folder, and leaves no file behind', async () => {
    const { page } = lectern
    chosen = join(folder, 'gone', 'tone.wav')
    await saveButton(page).click()
    await toasts(page).getByText('Not saved. The folder no longer exists.').waitFor(wait)
    expect(await readdir(folder)).toEqual(['My tone.wav'])
  })

  test('copies a file by dragging it out, and does not import it over its own window', async () => {
    const { page } = lectern
    const box = await saveButton(page).boundingBox()
    if (!box) throw new Error('the button is nowhere')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 30, y + 30, { steps: 6 })
    await expect.poll(() => dragged.length).toBe(1)
    const [path = ''] = dragged
    expect(basename(path)).toBe('tone.wav')
    expect(await readFile(path)).toEqual(Buffer.from(audio))
    const enter = () =>
      page.evaluate(() => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File(['x'], 'tone.wav'))
        window.dispatchEvent(new DragEvent('dragenter', { dataTransfer, cancelable: true }))
      })
    await enter()
    await page.waitForTimeout(200)
    expect(await page.getByTestId('drop-target').count()).toBe(0)
    // The drag is over: the next file is an external one.
    await page.mouse.up()
    await page.mouse.move(x + 60, y + 60)
    await enter()
    await page.getByTestId('drop-target').waitFor(wait)
    expect(requests).toEqual([])
  })
})

describe('in a browser tab', () => {
  let lectern: Opened
  beforeAll(async () => {
    lectern = await open()
    await openRun(lectern)
  })
  afterAll(() => lectern.close())

  test('downloads the file under its name, even across origins, and offers no folder', async () => {
    const { page, origin } = lectern
    const [download] = await Promise.all([
      page.waitForEvent('download', wait),
      saveButton(page).click(),
    ])
    expect(download.suggestedFilename()).toBe('tone.wav')
    expect(await readFile(await download.path())).toEqual(Buffer.from(audio))
    expect(new URL(page.url()).origin).toBe(origin)
    await toasts(page).getByText('Downloaded “tone.wav”').waitFor(wait)
    expect(await page.getByRole('button', { name: 'Show in folder' }).count()).toBe(0)
    expect(await saveButton(page).locator('xpath=ancestor::button').getAttribute('draggable')).toBe(
      null,
    )
  })
})
