import type { Page } from 'playwright-core'

/** Chooses this computer as the one that does the work, as a newcomer does. */
export async function chooseThisComputer(page: Page): Promise<void> {
  await page.getByRole('radio', { name: /This computer/ }).check()
  await page.getByRole('button', { name: 'Start' }).click()
}

/** Begins a recording with the microphone, the computer's sound, or both; resolves when the first second is written. */
export async function record(
  page: Page,
  sources: { readonly microphone: boolean; readonly system: boolean },
): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'New recording' }).first().click()
  await page.getByTestId('start-card').waitFor()
  await page.getByTestId('use-microphone').setChecked(sources.microphone)
  await page.getByTestId('use-system').setChecked(sources.system)
  await page.getByTestId('capture-title').fill('Recorded')
  await page.getByTestId('record').click()
  await page.getByTestId('recording-bar').waitFor()
  await page.waitForFunction(
    () => Number(document.querySelector('[data-testid="written"]')?.getAttribute('data-ms')) > 1000,
  )
}
