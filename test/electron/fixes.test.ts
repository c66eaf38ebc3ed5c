import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { eventually } from '../fixtures/eventually.ts'
import { sineWav } from '../fixtures/wav.ts'
import { memoryOf } from './memory.ts'
import { bridgeOfWindow, openElectronLectern, type ElectronLectern } from './lectern.ts'
import { sparseWav } from './sparse-wav.ts'
import { chooseThisComputer, record } from './steps.ts'

// Bugs of the Electron host by their names in the issue: each of these tests fails on the code before its fix.

let lectern: ElectronLectern | null = null
afterEach(async () => {
  await lectern?.close()
  lectern = null
})

async function opened(
  options?: Parameters<typeof openElectronLectern>[0],
): Promise<ElectronLectern> {
  lectern = await openElectronLectern(options)
  return lectern
}

test("A2: includes the computer's audio in a capture on macOS 15 and later", async () => {
  const { app, page } = await opened({
    launch: { platform: 'darwin', env: { STANDIN_MACOS_PICKER: '1' } },
  })
  await page.evaluate(() => {
    document.body.addEventListener(
      'click',
      () => {
        const options = { video: true, audio: true }
        void navigator.mediaDevices.getDisplayMedia(options).then((stream) => {
          document.title = `sound ${stream.getAudioTracks().length}`
        })
      },
      { once: true },
    )
  })
  await page.mouse.click(5, 5)
  expect(await app.event('capture')).toMatchObject({ audio: true, loopback: true })
  await page.waitForFunction(() => document.title === 'sound 1', undefined, { timeout: 20_000 })
})

test('A3: shows a presentation in full screen', async () => {
  const { app, page } = await opened()
  await page.evaluate(() => {
    document.body.addEventListener('click', () => void document.body.requestFullscreen(), {
      once: true,
    })
  })
  await page.mouse.click(5, 5)
  await expect
    .poll(() => app.events.filter(({ event }) => event === 'full-screen').length, { timeout: 5000 })
    .toBe(1)
  expect((await lectern?.windows())?.[0]?.fullScreen).toBe(true)
})

test('A4: saves the file of a run on click, where the user chooses', async () => {
  const { page, app, home } = await opened()
  await chooseThisComputer(page)
  const { call, intake } = bridgeOfWindow(home)
  let runs = 0
  const finished = async (operation: string, input: Record<string, unknown>) => {
    const streamId = `a4${(runs += 1)}`.padEnd(32, '0')
    const { id } = await call('runs.start', { operation, input, streamId })
    return eventually(async () => {
      const run = await call('runs.get', { id })
      expect(run).toMatchObject({ state: 'done' })
      return run
    })
  }
  const { id: sample } = await intake('letters.wav', sineWav({ seconds: 4, hz: 440 }))
  const upload = { file: sample, purpose: 'voice-clone-input' }
  const { value } = await finished('files.upload', upload)
  const { id, files } = await finished('files.content', { id: (value as { id: string }).id })
  const folder = await mkdtemp(join(tmpdir(), 'lectern-saved-'))
  const path = join(folder, 'chosen.wav')
  await app.command('dialog.answer', [path])
  await page.evaluate((run) => (location.hash = `#/playground/runs/${run}`), id)
  const address = page.url()
  // However the page implements it: before, it was a link without effect.
  await page.getByRole('listitem').getByText('content.bin').last().click({ timeout: 30_000 })
  const saved = (): Promise<Buffer | null> => readFile(path).catch(() => null)
  await expect.poll(async () => (await saved()) !== null, { timeout: 10_000 }).toBe(true)
  const media = files[0]?.mediaId ?? ''
  const stored = await readFile(join(home, 'media', media.slice(0, 2), media))
  expect(await saved()).toEqual(stored)
  expect(page.url()).toBe(address)
  await rm(folder, { recursive: true })
})

test('A5: imports a large file with progress, without loading it into memory', async () => {
  const { page, app, home } = await opened()
  await chooseThisComputer(page)
  const file = join(home, 'long.wav')
  const size = 600 * 2 ** 20
  await sparseWav(file, size)
  // Records every value of a progress bar in the page.
  await page.evaluate(() => {
    const values: number[] = []
    Reflect.set(window, 'progressOfImport', values)
    new MutationObserver(() => {
      const line = document.querySelector('.imports [role="progressbar"]')
      const value = Number(line?.getAttribute('aria-valuenow') ?? Number.NaN)
      if (Number.isFinite(value) && value !== values.at(-1)) values.push(value)
    }).observe(document, { subtree: true, childList: true, attributes: true })
  })
  const memory = memoryOf(app.process.pid ?? 0)
  const chosen = page.waitForEvent('filechooser')
  await page.getByRole('main').getByRole('button', { name: 'Import audio…' }).click()
  await (await chosen).setFiles(file)
  const { call } = bridgeOfWindow(home)
  const outcome = async (): Promise<string> => {
    // Reading the audio of the meeting starts before it is listed, and needs some memory itself.
    if (memory.peak() > size / 4) return `${(memory.peak() / 2 ** 20).toFixed(0)} MB were held`
    return (await call('library.list', {})).items.length === 1 ? 'taken in' : 'under way'
  }
  await expect.poll(outcome, { timeout: 120_000 }).not.toBe('under way')
  expect(await outcome()).toBe('taken in')
  console.log(`${size} bytes: ${(memory.added() / 2 ** 20).toFixed(1)} MB of memory added`)
  const values = await page.evaluate(() => Reflect.get(window, 'progressOfImport') as number[])
  expect(values.filter((value) => value > 0 && value < 100).length).toBeGreaterThan(1)
  expect(values).toEqual(values.toSorted((one, other) => one - other))
})

test('A6: asks before quitting while recording, and saves the whole recording on yes', async () => {
  const before = await opened()
  const { app, page } = before
  await chooseThisComputer(page)
  await record(page, { microphone: true, system: false })
  await app.command('dialog.answer', 1)
  await app.command('app.quit')
  await app.event('dialog')
  expect(await app.exited).toBe(0)
  lectern = await before.restart()
  const { call } = bridgeOfWindow(before.home)
  const { items } = await call('library.list', {})
  const { meeting } = await call('meetings.get', { id: items[0]?.id ?? '' })
  expect(meeting.state).toBe('stopped')
  expect(meeting.completeness.writtenMs).toBe(meeting.completeness.recordedMs)
})

test('A7: reopens the window with its position and size after quitting', async () => {
  const before = await opened()
  const bounds = { x: 120, y: 90, width: 1000, height: 700 }
  await before.app.command('window.bounds', 1, bounds)
  await pause(1500)
  await before.app.command('app.quit')
  await before.app.exited
  lectern = await before.restart()
  expect((await lectern.windows())[0]?.bounds).toEqual(bounds)
})

test('A8: hides the quick window on Escape and preserves its draft', async () => {
  const { app, windows, page, opened: another } = await opened()
  await chooseThisComputer(page)
  const press = () => app.command('shortcut.press', 'CommandOrControl+Shift+Space')
  const quick = await another(press)
  const box = quick.getByRole('textbox').first()
  await box.fill('half a question')
  await quick.keyboard.press('Escape')
  await expect.poll(async () => (await windows()).at(-1)?.visible, { timeout: 5000 }).toBe(false)
  expect(await windows()).toHaveLength(2)
  expect(await box.inputValue()).toBe('half a question')
})

test('A9: shows a context menu on right-click', async () => {
  const { app } = await opened()
  await app.command('window.context-menu', 1, {
    x: 5,
    y: 5,
    isEditable: true,
    selectionText: 'teh',
    misspelledWord: 'teh',
    dictionarySuggestions: ['the'],
    mediaType: 'none',
    linkURL: '',
    srcURL: '',
    editFlags: {
      canUndo: true,
      canRedo: false,
      canCut: true,
      canCopy: true,
      canPaste: true,
      canSelectAll: true,
      canDelete: true,
    },
  })
  await expect.poll(() => app.command('popup'), { timeout: 5000 }).not.toBe(null)
})

test('A10: notifies about a recording that ends while no window has the focus', async () => {
  const { app, page, home } = await opened()
  await chooseThisComputer(page)
  await record(page, { microphone: true, system: false })
  await page.evaluate(() => {
    document.hasFocus = () => false
  })
  await app.command('window.blur', 1)
  const { call } = bridgeOfWindow(home)
  const { items } = await call('library.list', {})
  await call('meetings.stop', { id: items[0]?.id ?? '', recordedMs: null })
  await expect
    .poll(() => app.events.filter(({ event }) => event === 'notification').length, {
      timeout: 20_000,
    })
    .toBeGreaterThan(0)
})

test('A10: allows the page to keep the screen awake', async () => {
  const { page } = await opened()
  expect(await page.evaluate(async () => (await navigator.wakeLock.request('screen')).type)).toBe(
    'screen',
  )
})

test('B1: shows the window on Wayland, where a hidden window is never ready to show', async () => {
  const { app } = await opened({ launch: { display: 'wayland' } })
  await expect
    .poll(() => app.events.some(({ event }) => event === 'shown'), { timeout: 10_000 })
    .toBe(true)
})
