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

// Faults of the Electron host by their names in the issue: each of these fails on the code before its fix.

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

test("A2: on macOS 15 and later the computer's sound comes with what is captured", async () => {
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

test('A3: a deck fills the screen', async () => {
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

test('A4: the file of a run is saved by a click, where the user says', async () => {
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
  // Whatever the page makes of it: before, it was a link that led nowhere.
  await page.getByRole('listitem').getByText('content.bin').last().click({ timeout: 30_000 })
  const saved = (): Promise<Buffer | null> => readFile(path).catch(() => null)
  await expect.poll(async () => (await saved()) !== null, { timeout: 10_000 }).toBe(true)
  const media = files[0]?.mediaId ?? ''
  const stored = await readFile(join(home, 'media', media.slice(0, 2), media))
  expect(await saved()).toEqual(stored)
  expect(page.url()).toBe(address)
  await rm(folder, { recursive: true })
})

test('A5: a large file is taken in with progress, and without being held in memory', async () => {
  const { page, app, home } = await opened()
  await chooseThisComputer(page)
  const file = join(home, 'long.wav')
  const size = 600 * 2 ** 20
  await sparseWav(file, size)
  // Every value that a line of progress has in the page.
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
    // What reads the sound of the meeting begins before it is listed, and needs some itself.
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

test('A6: quitting while recording asks, and on yes keeps everything that was recorded', async () => {
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

test('A7: after quitting, the window opens where it was and as large as it was', async () => {
  const before = await opened()
  const bounds = { x: 120, y: 90, width: 1000, height: 700 }
  await before.app.command('window.bounds', 1, bounds)
  await pause(1500)
  await before.app.command('app.quit')
  await before.app.exited
  lectern = await before.restart()
  expect((await lectern.windows())[0]?.bounds).toEqual(bounds)
})

test('A8: Escape puts the quick window away with its draft, and does not end it', async () => {
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

test('A9: there is a menu under the right mouse button', async () => {
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

test('A10: a recording that ends elsewhere is told by the system when nobody looks', async () => {
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

test('A10: the screen may stay awake while something is recorded', async () => {
  const { page } = await opened()
  expect(await page.evaluate(async () => (await navigator.wakeLock.request('screen')).type)).toBe(
    'screen',
  )
})

test('B1: on Wayland, where a hidden window never gets ready to show, the window is shown', async () => {
  const { app } = await opened({ launch: { display: 'wayland' } })
  await expect
    .poll(() => app.events.some(({ event }) => event === 'shown'), { timeout: 10_000 })
    .toBe(true)
})
