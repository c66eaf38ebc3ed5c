import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BridgeClient } from '../fixtures/bridge-client.ts'
import { sineWav } from '../fixtures/wav.ts'
import { prepareLibrary, type SampleLibrary } from '../screenshots/sample-library.ts'
import { filled, sections, showScreen, type Screen } from '../screenshots/screens.ts'
import { findings } from './axe.ts'
import { largeTextProblems } from './large-text.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { secondPage } from './second-page.ts'

let lectern: Lectern
let second: BridgeClient
let library: SampleLibrary

beforeAll(async () => {
  const home = await mkdtemp(join(tmpdir(), 'lectern-e2e-'))
  const microphone = join(home, 'microphone.wav')
  await writeFile(microphone, sineWav({ seconds: 2, hz: 300 }))
  lectern = await openLectern({ home, microphone })
  lectern.page.setDefaultTimeout(30_000)
  second = await secondPage(home)
  library = await prepareLibrary(second)
})
afterAll(async () => {
  second.close()
  await lectern.close()
})

/** The last one: it shows its bar on every later screen. */
const recording: Screen = {
  name: 'recording',
  address: () => '/meetings?record',
  async prepare(page) {
    // While it records, the page always sends.
    await page.waitForLoadState('networkidle')
    await page.getByTestId('record').click()
    await page.getByTestId('stop').waitFor()
  },
}

test.each([...filled, ...sections, recording])(
  '$name is accessible in light and dark, and fits in the window with text of twice the size',
  async (screen) => {
    const { page } = lectern
    await page.emulateMedia({ colorScheme: 'light' })
    await showScreen(page, screen, library)
    await page.waitForLoadState('networkidle')
    expect.soft(await findings(page, { anyImpact: true })).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect.soft(await findings(page, { rules: ['color-contrast'] })).toEqual([])
    expect.soft(await largeTextProblems(page)).toEqual([])
  },
)
