import { afterAll, beforeAll, expect, test } from 'vitest'
import { selfSigned } from '../fixtures/self-signed.ts'
import { openLectern, type Lectern } from './lectern.ts'

const wait = { timeout: 20_000 }
let lectern: Lectern

beforeAll(async () => {
  lectern = await openLectern()
  await lectern.page.getByRole('radio', { name: /This computer/ }).check()
  await lectern.page.getByRole('button', { name: 'Start' }).click()
  await lectern.page.evaluate(() => void (location.hash = '#/settings/network'))
})
afterAll(() => lectern.close())

/** Opens the tab of the host's last confirmation: it prints the URL as it opens it. */
async function question() {
  const { page, host } = lectern
  const address = (): string | undefined =>
    [...host.output().matchAll(/confirmation in the browser: (http:\S+)/g)].at(-1)?.[1]
  const before = seen
  await expect.poll(address).not.toBe(before)
  seen = address()
  const tab = await page.context().newPage()
  await tab.goto(seen ?? '')
  return tab
}
let seen: string | undefined

test('uses a proxy once the user has confirmed it in a separate tab', async () => {
  const { page } = lectern
  await page.getByText('Custom', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Proxy URL' }).fill('http://127.0.0.1:3128')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const refused = await question()
  await refused.getByText('http://127.0.0.1:3128').waitFor(wait)
  await refused.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Not changed').waitFor(wait)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const accepted = await question()
  await accepted.getByRole('button', { name: 'Change' }).click()
  await page.getByText('Saved', { exact: true }).waitFor(wait)
  await accepted.getByText('You can close this tab').waitFor(wait)
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Proxy URL' }).inputValue())
    .toBe('http://127.0.0.1:3128')
})

test('adds confirmed certificates, and shows their fingerprints', async () => {
  const { page } = lectern
  await page.getByRole('button', { name: 'Add certificates…' }).click()
  const choice = await question()
  const { cert } = selfSigned('office.example')
  await choice.locator('input[type=file]').setInputFiles({
    name: 'office.pem',
    mimeType: 'application/x-pem-file',
    buffer: Buffer.from(cert),
  })
  await choice.getByRole('button').last().click()
  const trust = await question()
  await trust.getByText(/SHA-256/).waitFor(wait)
  await trust.getByRole('button', { name: 'Trust' }).click()
  await expect
    .poll(() => page.getByTestId('certificates').textContent(), wait)
    .toContain('Lectern test')
})
