import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch } from '../electron-standin/launch.ts'
import { sineWav } from '../fixtures/wav.ts'
import { bridgeOfWindow, openElectronLectern, type ElectronLectern } from './lectern.ts'

let lectern: ElectronLectern
let folder: string
const wait = { timeout: 60_000 }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-opened-'))
  lectern = await openElectronLectern()
  await lectern.page.getByRole('radio', { name: /This computer/ }).check()
  await lectern.page.getByRole('button', { name: 'Start' }).click()
})
afterAll(async () => {
  await lectern.close()
  await rm(folder, { recursive: true, force: true })
})

/** Creates a WAV file of the user: one second of a tone. */
async function createTone(name: string, hz: number): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, sineWav({ seconds: 1, hz }))
  return path
}

/** Waits until the Library lists this title. */
async function listed(title: string): Promise<void> {
  await expect
    .poll(async () => {
      const { items } = await bridgeOfWindow(lectern.home).call('library.list', {})
      return items.map((item) => item.title)
    }, wait)
    .toContain(title)
}

const restOf = (key: string): Promise<unknown> => lectern.app.command(key)

test('links: asks before opening a link in the browser, and opens nothing else outside the page', async () => {
  const { app, page } = lectern
  const from = app.events.length
  await page.evaluate(() => void window.open('https://example.org/read?a=1'))
  const question = await app.event<{ message: string; detail: string }>('dialog', undefined, from)
  expect(question.message).toContain('example.org')
  await app.command('dialog.answer', 1)
  await app.event<{ url: string }>(
    'open-external',
    ({ url }) => url === 'https://example.org/read?a=1',
    from,
  )
  await page.evaluate(() => void (location.href = 'http://example.org/'))
  await app.event<{ url: string }>('navigation-refused', ({ url }) => url.includes('example'), from)
  expect((await lectern.windows())[0]?.url).toMatch(/^app:\/\/bundle\//)
  expect(await restOf('windows')).toHaveLength(1)
})

test('keys: passes menu commands and roles to the page; registers system-wide shortcuts', async () => {
  const { app, page } = lectern
  await app.command('menu.click', 'View', 'Command Palette…')
  await page.getByRole('combobox', { name: /Search commands/ }).waitFor()
  await page.keyboard.press('Escape')
  await app.command('menu.click', 'View', 'zoomIn')
  await expect.poll(async () => (await lectern.windows())[0]?.zoom, wait).toBeGreaterThan(1)
  await app.command('menu.click', 'View', 'resetZoom')
  expect((await lectern.windows())[0]?.zoom).toBe(1)
  expect(await app.command('shortcuts')).toContain('CommandOrControl+Shift+Space')
})

test('theme: changes page and window when the system becomes dark', async () => {
  const { app, page } = lectern
  const from = app.events.length
  const colour = (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await colour()
  await app.command('theme.system', 'dark')
  await app.event<{ color: string }>('background-color', ({ color }) => color === '#161718', from)
  await expect.poll(colour, wait).not.toBe(light)
  await app.command('theme.system', 'light')
})

test('language: shows the menu in the language of the settings', async () => {
  const { app } = lectern
  const { call } = bridgeOfWindow(lectern.home)
  const from = app.events.length
  await call('settings.update', { language: 'zh-CN' })
  await app.event<readonly { label: string }[]>(
    'menu',
    (bar) => bar.some(({ label }) => label === '文件'),
    from,
  )
  await call('settings.update', { language: 'en' })
  const first = async () => (await app.command<{ label: string }[]>('menu'))[0]?.label
  await expect.poll(first, wait).toBe('File')
})

test('opens data folder and logs from Settings in the file manager; uses no path from the page', async () => {
  const { app, page, home } = lectern
  const from = app.events.length
  await page.evaluate(() => void (location.hash = '#/settings/storage'))
  await page.getByRole('button', { name: 'Show data folder' }).click()
  await app.event<{ path: string }>('open-path', ({ path }) => path === home, from)
  await page.getByRole('button', { name: 'Show logs' }).click()
  await app.event<{ path: string }>('open-path', ({ path }) => path === join(home, 'logs'), from)
  const { raw } = bridgeOfWindow(home)
  for (const other of ['/etc', '', 'media'])
    expect(await raw('system.showFolder', { folder: other })).toMatchObject({ ok: false })
})

test('opened files: imports files opened by the system', async () => {
  const { app } = lectern
  expect(await app.command('app.open-file', await createTone('harbour.wav', 440))).toBe(true)
  await listed('harbour')
})

test('second instance: passes on its files, brings the window to the front, and ends', async () => {
  await lectern.app.command('window.minimize', 1)
  const second = launch({
    args: [await createTone('lighthouse.wav', 550)],
    env: { LECTERN_HOME: lectern.home },
  })
  expect(await second.exited).toBe(0)
  expect(second.events.map(({ event }) => event)).not.toContain('browser')
  await listed('lighthouse')
  expect((await lectern.windows())[0]).toMatchObject({ visible: true, focused: true })
})

test('page crash: reloads the page once, then shows it without scripts', async () => {
  const { app } = lectern
  const loaded = async (url: RegExp): Promise<void> => {
    await expect
      .poll(async () => {
        const [window] = await lectern.windows()
        return window?.crashed === false && url.test(window.url)
      }, wait)
      .toBe(true)
  }
  const crash = async (): Promise<void> => {
    const from = app.events.length
    await app.command('window.crash', 1)
    await app.event('crashed', undefined, from)
  }
  await crash()
  await loaded(/^app:\/\/bundle\/(#.*)?$/)
  await crash()
  await loaded(/^app:\/\/bundle\/broken$/)
})
