import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { after, noisy, over, says, sentences } from '../main/sound/sample/corpus.ts'
import { waveOf } from '../../src/main/sound/sample/take.ts'
import { findings } from './axe.ts'
import { dropFiles } from './gestures.ts'
import { openLectern, type Lectern } from './lectern.ts'

let lectern: Lectern
let folder: string
let microphone: string

const her = noisy(says('en-us+f2', sentences[0]), -65)
const him = noisy(says('en-us+m3', sentences[1]), -65)

/** What the microphone hears from the next recording on: the browser reads the file anew for each. */
const hears = (samples: Float32Array): Promise<void> =>
  writeFile(microphone, waveOf({ samples: new Float32Array(samples), rate: 16_000 }))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-booth-'))
  microphone = join(folder, 'microphone.wav')
  await hears(her)
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

/** Records so many milliseconds of what the microphone hears, and waits for what is said about it. */
async function record(ms: number, counted = false): Promise<void> {
  const { page } = lectern
  await page.evaluate(() => void (location.hash = '#/voices/booth'))
  await page.getByTestId('booth-record').click()
  if (counted) await page.getByTestId('booth-phase').filter({ hasText: '3' }).waitFor()
  else await page.getByTestId('booth-now').click()
  const stop = page.getByTestId('booth-stop')
  await page
    .getByTestId('booth-phase')
    .filter({ hasText: /Recording/ })
    .waitFor()
  await page.waitForTimeout(ms)
  await stop.click()
  await page.getByTestId('verdict').waitFor({ timeout: 60_000 })
}

test('bad samples from the microphone are named rightly', async () => {
  await hears(new Float32Array(16_000 * 4))
  await record(3500)
  expect(await check('speech').innerText()).toMatch(/silent/)
  expect(await main().getByTestId('clone').isDisabled()).toBe(true)

  await hears(her.map((sample) => Math.max(-1, Math.min(1, sample * 8))))
  await record(3500)
  expect(await check('clipping').innerText()).toMatch(/cut off in [\d,]+ places/)
  expect(await check('speakers').getAttribute('data-state')).not.toBe('bad')

  await hears(her)
  await record(1500)
  expect(await check('length').innerText()).toMatch(/too short/)

  await hears(over(her, him))
  await record(5000)
  expect(await check('speakers').innerText()).toMatch(/Two people speak at the same time/)
})

test('a sound file dropped on the page of a new voice is a sample, wherever it falls', async () => {
  const { page } = lectern
  await page.evaluate(() => void (location.hash = '#/voices/booth'))
  await page.getByTestId('booth-record').waitFor()
  const bytes = waveOf({ samples: new Float32Array(her), rate: 16_000 })
  await dropFiles(page, [{ name: 'her.wav', type: 'audio/wav', bytes }])
  await main().getByText('From the file her.wav').waitFor({ timeout: 60_000 })
  expect(await page.getByTestId('drop-target').count()).toBe(0)
})

test('a good sample passes, is heard, and becomes a voice once consent is given', async () => {
  const { page } = lectern
  await hears(after(200, her))
  await record(7000, true)
  await expect(check('speakers').innerText()).resolves.toMatch(/One voice/)
  for (const name of ['length', 'speech', 'clipping', 'noise'])
    expect([name, await check(name).getAttribute('data-state')]).toEqual([name, 'good'])
  expect(await findings(page)).toEqual([])
  const words = page.getByTestId('sample-words')
  await expect.poll(() => words.inputValue(), { timeout: 60_000 }).toMatch(/plan|search|morning/i)

  expect(await main().getByText('Say first whose voice it is.').count()).toBe(1)
  await main().getByLabel('Who speaks').fill('Ada')
  await main().getByLabel('What for').fill('Reading minutes aloud')
  await main()
    .getByRole('button', { name: /This is my voice/ })
    .click()
  await main().getByTestId('consent').waitFor()
  await main().getByLabel('Name of the voice').fill('Ada_1')
  await main().getByTestId('clone').click()
  const take = main().locator('[data-take=done]')
  await take.waitFor({ timeout: 60_000 })
  await expect
    .poll(() => take.evaluate((one) => one.getBoundingClientRect().top < innerHeight))
    .toBe(true)
  // The service of this computer says that it cannot imitate.
  await take
    .getByTestId('clone-notice')
    .filter({ hasText: /cannot imitate/ })
    .waitFor()
  // Sample and clone stand side by side, and one pauses when the other plays.
  await take.getByRole('button', { name: 'Play' }).nth(1).waitFor({ timeout: 60_000 })
  await take.getByRole('button', { name: 'Play' }).first().click()
  await take.getByRole('button', { name: 'Pause' }).waitFor()
  await take.getByRole('button', { name: 'Play' }).click()
  await expect.poll(() => take.getByRole('button', { name: 'Pause' }).count()).toBe(1)
  expect(lectern.trouble.errors).toEqual([])
})
