import type { Page } from 'playwright-core'

/** Selects this computer for all work, as a new user does. */
export async function chooseThisComputer(page: Page): Promise<void> {
  await page.getByRole('radio', { name: /This computer/ }).check()
  await page.getByRole('button', { name: 'Start' }).click()
}

/**
 * Starts a recording of the microphone, the computer's audio, or both; resolves when the first second is written.
 */
export async function record(
  page: Page,
  sources: { readonly microphone: boolean; readonly system: boolean },
): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'New recording' }).first().click()
  await page.getByTestId('start-card').waitFor()
  await page.getByTestId('use-microphone').setChecked(sources.microphone)
  await page.getByTestId('use-computer-audio').setChecked(sources.system)
  await page.getByTestId('capture-title').fill('Recorded')
  await page.getByTestId('record').click()
  await page.getByTestId('recording-bar').waitFor()
  await page.waitForFunction(
    () =>
      Number(document.querySelector('[data-testid="written-duration"]')?.getAttribute('data-ms')) >
      1000,
  )
}
