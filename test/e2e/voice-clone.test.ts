import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { after, noisy, over, says, sentences } from '../main/domains/voices/worker/sample/corpus.ts'
import { waveOf } from '../../src/main/domains/voices/worker/sample/read-sample.ts'
import { findings } from './axe.ts'
import { dropFiles } from './gestures.ts'
import { openLectern, type Lectern } from './lectern.ts'

let lectern: Lectern
let folder: string
let microphone: string

const her = noisy(says('en-us+f2', sentences[0]), -65)
const him = noisy(says('en-us+m3', sentences[1]), -65)

/** Sets the microphone input from the next recording on: the browser reads the file again for each. */
const setMicrophone = (samples: Float32Array): Promise<void> =>
  writeFile(microphone, waveOf({ samples: new Float32Array(samples), rate: 16_000 }))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-clone-'))
  microphone = join(folder, 'microphone.wav')
  await setMicrophone(her)
  lectern = await openLectern({ microphone })
  const { page } = lectern
  await page.getByRole('radio', { name: /This computer/ }).check()
  await page.getByRole('button', { name: 'Start' }).click()
  await page.getByRole('contentinfo').waitFor()
})
afterAll(async () => {
  await lectern.close()
  await rm(folder, { recursive: true, force: true })
})

const main = () => lectern.page.getByRole('main')
const check = (name: string) => main().locator(`[data-check=${name}]`)
/** Only problems are listed. */
const gone = (name: string) => check(name).waitFor({ state: 'detached', timeout: 60_000 })

const isFocused = (element: Element): boolean => element === document.activeElement

/** Records for this many milliseconds from the microphone, and waits for the report. */
async function record(ms: number, counted = false): Promise<void> {
  const { page } = lectern
  await page.evaluate(() => void (location.hash = '#/voices/clone'))
  await page.getByTestId('sample-record').click()
  if (counted) await page.getByTestId('sample-phase').filter({ hasText: '3' }).waitFor()
  else await page.getByTestId('sample-start').click()
  const stop = page.getByTestId('sample-stop')
  await page
    .getByTestId('sample-phase')
    .filter({ hasText: /Recording/ })
    .waitFor()
  await page.waitForTimeout(ms)
  await stop.click()
  await page.getByTestId('verdict').waitFor({ timeout: 60_000 })
}

test('identifies the problems of bad samples from the microphone', async () => {
  await setMicrophone(new Float32Array(16_000 * 4))
  await record(1200)
  expect(await check('speech').innerText()).toMatch(/Silent/)
  expect(await main().getByTestId('clone').isDisabled()).toBe(true)

  // Too loud, in a room with hiss.
  await setMicrophone(noisy(her, -42).map((sample) => Math.max(-1, Math.min(1, sample * 8))))
  await record(3300)
  expect(await check('clipping').innerText()).toMatch(/In [\d,]+ places/)
  expect(await check('speakers').and(main().locator('[data-state=bad]')).count()).toBe(0)
  // Each problem is fixed separately, and each fix is undone.
  await check('clipping').getByRole('button', { name: 'Restore peaks' }).press('Enter')
  await gone('clipping')
  await check('noise').getByRole('button', { name: 'Reduce noise' }).press('Enter')
  await gone('noise')
  const undo = main().getByRole('button', { name: 'Undo', exact: true })
  await undo.press('Enter')
  await check('noise').getByRole('button', { name: 'Reduce noise' }).waitFor()
  await undo.press('Enter')
  await check('clipping').getByRole('button', { name: 'Restore peaks' }).waitFor()

  await setMicrophone(her)
  await record(1500)
  expect(await check('length').innerText()).toMatch(/at least 3 seconds/)

  await setMicrophone(over(her, him))
  await record(4000)
  expect(await check('speakers').innerText()).toMatch(/Two people speak at once/)
  await check('speakers').getByRole('button', { name: 'Record again' }).press('Enter')
  await main().getByRole('heading', { name: 'New voice' }).waitFor()

  // One after the other, with another voice and another pitch.
  await setMicrophone(after(300, her.slice(0, 16_000 * 3.5), him.slice(0, 16_000 * 3.5)))
  await record(7300)
  expect(await check('speakers').innerText()).toMatch(/Another speaker starts at [34]/)
  await check('speakers').getByRole('button', { name: 'Keep one speaker' }).press('Enter')
  await gone('speakers')
})

test('says at the top that this computer can neither clone nor speak, and offers an account', async () => {
  const { page } = lectern
  for (const tab of ['library', 'clone', 'speak']) {
    await page.evaluate((to) => void (location.hash = `#/voices/${to}`), tab)
    await page.getByTestId('on-device-note').getByText('can’t clone voices').waitFor()
    expect(await page.getByTestId('on-device-note').count()).toBe(1)
  }
  await page.getByTestId('on-device-note').getByRole('button', { name: 'Add account' }).click()
  await page.waitForURL(/#\/settings\/accounts/)
})

test('uses an audio file dropped anywhere on the page of a new voice as a sample', async () => {
  const { page } = lectern
  await page.evaluate(() => void (location.hash = '#/voices/clone'))
  await page.getByTestId('sample-record').waitFor()
  const bytes = waveOf({ samples: new Float32Array(her), rate: 16_000 })
  await dropFiles(page, [{ name: 'her.wav', type: 'audio/wav', bytes }])
  await main().getByText('From her.wav').waitFor({ timeout: 60_000 })
  expect(await page.getByTestId('drop-target').count()).toBe(0)
})

test('passes a good sample, transcribes it, and clones it once consent is given', async () => {
  const { page } = lectern
  await setMicrophone(after(200, her))
  await record(7000, true)
  for (const name of ['length', 'speech', 'speakers', 'clipping', 'noise'])
    expect([name, await check(name).count()]).toEqual([name, 0])
  expect(await findings(page)).toEqual([])
  const words = page.getByTestId('sample-text')
  await expect.poll(() => words.inputValue(), { timeout: 60_000 }).toMatch(/plan|search|morning/i)

  expect(await main().getByText('Confirm consent.').count()).toBe(1)
  await expect.poll(() => main().getByLabel('Speaker').evaluate(isFocused)).toBe(true)
  await main().getByLabel('Speaker').fill('Ada')
  await main().getByRole('button', { name: 'Reading minutes aloud' }).click()
  expect(await main().getByLabel('Purpose').inputValue()).toBe('Reading minutes aloud')
  expect(await main().getByTestId('consent-statement').innerText()).toBe(
    'I’m Ada. I consent to cloning my voice. Purpose: Reading minutes aloud.',
  )
  // Only the button gives consent: changes are saved in turn, so Enter would have given it before the next change is saved.
  await main().getByLabel('Purpose').press('Enter')
  // The spoken text is known: other text is recognized as different.
  const transcript = await words.inputValue()
  await words.fill('Nobody has ever seen the sea from here, and nobody will.')
  await main().getByTestId('sample-text-differs').waitFor()
  expect(await main().getByTestId('consent').count()).toBe(0)
  await main().getByRole('button', { name: 'Use this text' }).press('Enter')
  await expect.poll(() => words.inputValue()).toBe(transcript)
  await main().getByRole('button', { name: 'Consent to cloning' }).click()
  await main().getByTestId('consent').waitFor()
  await expect.poll(() => main().getByTestId('clone').evaluate(isFocused)).toBe(true)
  await main().getByLabel('Voice name').fill('Ada_1')
  await main().getByTestId('clone').click()
  const take = main().locator('[data-take=done]')
  await take.waitFor({ timeout: 60_000 })
  await expect
    .poll(() => take.evaluate((one) => one.getBoundingClientRect().top < innerHeight))
    .toBe(true)
  // The on-device service reports that it cannot clone voices.
  await take
    .getByTestId('clone-notice')
    .filter({ hasText: /isn’t available on-device/ })
    .waitFor()
  // Sample and clone are side by side, with their waveforms, and one pauses when the other plays.
  await take.getByRole('button', { name: 'Play' }).nth(1).waitFor({ timeout: 60_000 })
  await expect.poll(() => take.locator('[data-testid=waves] path').count()).toBe(2)
  await take.getByRole('button', { name: 'Play' }).first().click()
  await take.getByRole('button', { name: 'Pause' }).waitFor()
  await take.getByRole('button', { name: 'Play' }).click()
  await expect.poll(() => take.getByRole('button', { name: 'Pause' }).count()).toBe(1)
  expect(lectern.trouble.errors).toEqual([])
})

test('fills in the last speaker and purpose of a recorded sample, but gives no consent', async () => {
  await setMicrophone(after(200, her))
  await record(4000)
  const speaker = main().getByLabel('Speaker')
  await expect.poll(() => speaker.inputValue()).toBe('Ada')
  expect(await main().getByLabel('Purpose').inputValue()).toBe('Reading minutes aloud')
  expect(await main().getByText('Confirm consent.').count()).toBe(1)
  expect(await main().getByTestId('clone').isDisabled()).toBe(true)
  expect(await findings(lectern.page)).toEqual([])
  // Another person has another name, and the user’s own comes back with the user’s own voice.
  await main().getByText('Someone else, with permission').click()
  expect(await speaker.inputValue()).toBe('')
  await main().getByText('Me', { exact: true }).click()
  expect(await speaker.inputValue()).toBe('Ada')
})
