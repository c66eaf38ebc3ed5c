import { afterEach, expect, test } from 'vitest'
import { bridgeOfWindow, openElectronLectern, type ElectronLectern } from './lectern.ts'
import { chooseThisComputer, record } from './steps.ts'

let lectern: ElectronLectern | null = null
const wait = { timeout: 60_000 }
afterEach(async () => {
  await lectern?.close()
  lectern = null
})

async function recording(): Promise<ElectronLectern> {
  const opened = await openElectronLectern()
  lectern = opened
  await chooseThisComputer(opened.page)
  await record(opened.page, { microphone: true, system: false })
  return opened
}

/** Returns the only meeting of the Library, as it is stored. */
async function meeting(home: string) {
  const { call } = bridgeOfWindow(home)
  const { items } = await call('library.list', {})
  const id = items[0]?.id ?? ''
  return (await call('meetings.get', { id })).meeting
}

test('records the microphone: permission, tray, no system sleep, complete audio', async () => {
  const { app, page, home } = await recording()
  const permissionEvent = await app.event<{
    permission: string
    granted: boolean
    details: object
  }>('permission', ({ permission }) => permission === 'media')
  expect(permissionEvent).toMatchObject({
    granted: true,
    details: { mediaTypes: ['audio'], requestingUrl: expect.stringMatching(/^app:\/\/bundle\//) },
  })
  expect(await app.command('power-save')).toEqual(['prevent-app-suspension'])
  const [tray] = await app.command<{ tooltip: string }[]>('tray')
  expect(tray?.tooltip).toBe('Lectern is recording')
  await app.command('tray.click', 'Stop Recording')
  await page.getByRole('main').getByTestId('meeting-pane').waitFor(wait)
  expect(await app.command('power-save')).toEqual([])
  const { state, completeness } = await meeting(home)
  expect(state).toBe('stopped')
  expect(completeness.writtenMs).toBe(completeness.recordedMs)
})

test('asks before closing while recording: stays on no, closes on yes and saves the recording', async () => {
  const opened = await recording()
  const { app } = opened
  const nextDialog = (from: number): Promise<{ message: string; kind: string }> =>
    app.event('dialog', undefined, from)
  const [window] = await opened.windows()
  await app.command('dialog.answer', 0)
  await app.command('window.close', window?.id)
  expect(await nextDialog(0)).toMatchObject({ kind: 'message', parent: true })
  await opened.page.getByTestId('recording-bar').waitFor(wait)
  const from = app.events.length
  await app.command('dialog.answer', 1)
  await app.command('window.close', window?.id)
  await nextDialog(from)
  expect(await app.exited).toBe(0)
  lectern = await opened.restart()
  const { completeness } = await meeting(opened.home)
  expect(completeness.writtenMs).toBeGreaterThan(1000)
})

test('replaces a core that ends while recording, continues, and loses no audio', async () => {
  const { app, page, home } = await recording()
  const written = async (): Promise<number> => (await meeting(home)).completeness.writtenMs
  await expect.poll(written, { timeout: 20_000 }).toBeGreaterThan(2000)
  const before = await written()
  await app.command('utility.crash')
  await expect.poll(written, { timeout: 60_000 }).toBeGreaterThan(before + 3000)
  expect((await meeting(home)).state).toBe('recording')
  // Shown as before: in the window and in the tray, and the computer does not sleep.
  await page.getByTestId('recording-bar').waitFor(wait)
  await expect.poll(() => app.command('power-save'), wait).toEqual(['prevent-app-suspension'])
  await app.command('tray.click', 'Stop Recording')
  await page.getByRole('main').getByTestId('meeting-pane').waitFor(wait)
  const { state, completeness, gaps } = await meeting(home)
  expect({ state, gaps }).toEqual({ state: 'stopped', gaps: [] })
  expect(completeness.writtenMs).toBe(completeness.recordedMs)
})

test("records the computer's audio next to the microphone, without a picker", async () => {
  const opened = await openElectronLectern()
  lectern = opened
  const { app, page, home } = opened
  await chooseThisComputer(page)
  await record(page, { microphone: true, system: true })
  expect(await app.event('capture')).toEqual({ video: true, audio: true, loopback: true })
  await app.command('tray.click', 'Stop Recording')
  await page.getByRole('main').getByTestId('meeting-pane').waitFor(wait)
  const { channels, state } = await meeting(home)
  expect({ channels, state }).toEqual({ channels: ['mic', 'others'], state: 'stopped' })
})

test('opens the privacy settings when macOS ends the computer’s audio immediately', async () => {
  lectern = await openElectronLectern({ launch: { platform: 'darwin' } })
  const { app, page } = lectern
  await chooseThisComputer(page)
  // Without the permission, macOS returns a track and ends it.
  await page.evaluate(() => {
    const { mediaDevices } = navigator
    const open = mediaDevices.getDisplayMedia.bind(mediaDevices)
    mediaDevices.getDisplayMedia = async (options) => {
      const stream = await open(options)
      const [track] = stream.getAudioTracks()
      setTimeout(() => {
        track?.stop()
        track?.dispatchEvent(new Event('ended'))
      }, 200)
      return stream
    }
  })
  await page.getByRole('main').getByRole('button', { name: 'New recording' }).first().click()
  await page.getByTestId('use-microphone').setChecked(false)
  await page.getByTestId('use-computer-audio').setChecked(true)
  await page.getByTestId('audio-check').click()
  await page.getByTestId('audio-denied').getByRole('button').click(wait)
  const { url } = await app.event<{ url: string }>('open-external')
  expect(url).toMatch(/^x-apple\.systempreferences:.*Privacy_ScreenCapture$/)
  // The same during the recording.
  await page.getByTestId('record').click()
  await page.getByTestId('recording-bar').waitFor(wait)
  await page.locator('[data-warning="endedAtOnce"]').getByTestId('audio-settings').waitFor(wait)
})
