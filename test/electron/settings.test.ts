import { afterEach, expect, test } from 'vitest'
import { openElectronLectern, type ElectronLectern } from './lectern.ts'
import { chooseThisComputer } from './steps.ts'

let lectern: ElectronLectern | null = null
afterEach(async () => {
  await lectern?.close()
  lectern = null
})

async function opened(
  options?: Parameters<typeof openElectronLectern>[0],
): Promise<ElectronLectern> {
  lectern = await openElectronLectern(options)
  await chooseThisComputer(lectern.page)
  return lectern
}

test('changes global shortcuts by pressing keys, turns them off, and saves them for the next start', async () => {
  const before = await opened({ launch: { env: { STANDIN_TAKEN_KEYS: 'CommandOrControl+Alt+T' } } })
  const { app, page } = before
  const registered = (): Promise<readonly string[]> => app.command('shortcuts')
  await page.evaluate(() => (location.hash = '#/settings/shortcuts'))
  const record = page.getByTestId('record-keys')
  const quick = page.getByTestId('quick-keys')
  await record.waitFor()
  expect(await record.inputValue()).toBe('None')

  await record.press('Control+Alt+KeyY')
  await expect.poll(registered).toContain('CommandOrControl+Alt+Y')
  await expect.poll(() => record.inputValue()).toMatch(/Ctrl.*Alt.*Y/)

  // Reports shortcuts of another program, and the old ones remain.
  await record.press('Control+Alt+KeyT')
  await page.getByRole('alert').filter({ hasText: 'Another program uses' }).waitFor()
  expect(await registered()).toContain('CommandOrControl+Alt+Y')
  expect(await record.inputValue()).toMatch(/Ctrl.*Alt.*Y/)

  // A letter alone would be unusable in every program, and Tab moves the focus.
  await record.press('KeyK')
  await record.press('Tab')
  expect(await record.inputValue()).toMatch(/Ctrl.*Alt.*Y/)
  expect(await record.evaluate((field) => field === document.activeElement)).toBe(false)

  await page.getByRole('button', { name: 'Turn off' }).first().click()
  await expect.poll(() => quick.inputValue()).toBe('None')
  expect(await registered()).toEqual(['CommandOrControl+Alt+Y'])

  lectern = await before.restart()
  expect(await lectern.app.command('shortcuts')).toEqual(['CommandOrControl+Alt+Y'])
})

test('explains a recording without the computer audio and opens the macOS settings for it', async () => {
  const { app, page } = await opened({ launch: { platform: 'darwin' } })
  // macOS returns video without audio to a program without the permission to record audio.
  await page.evaluate(() => {
    navigator.mediaDevices.getDisplayMedia = async () =>
      document.createElement('canvas').captureStream()
  })
  await page.evaluate(() => (location.hash = '#/meetings?record'))
  await page.getByTestId('start-card').waitFor()
  await page.getByTestId('use-microphone').setChecked(false)
  await page.getByTestId('use-computer-audio').setChecked(true)
  await page.getByTestId('record').click()
  const notice = page.getByTestId('audio-denied')
  await notice.waitFor()
  expect(await notice.getAttribute('role')).toBe('alert')
  await notice.getByRole('button', { name: 'Open system settings' }).click()
  expect(await app.event('open-external')).toEqual(
    expect.objectContaining({
      url: 'x-apple.systempreferences:com.apple.preference.security?Privacy_ScreenCapture',
    }),
  )
})
