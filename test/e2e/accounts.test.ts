import { afterAll, beforeAll, expect, test } from 'vitest'
import { startScriptedServer, type ScriptedServer } from '../fixtures/scripted-server.ts'
import { openLectern, type Lectern } from './lectern.ts'

const wait = { timeout: 20_000 }
let server: ScriptedServer
let lectern: Lectern

beforeAll(async () => {
  server = await startScriptedServer()
  server.always(() => ({ status: 401, body: '{"error":{"code":"1000","message":"no"}}' }))
  lectern = await openLectern()
  await lectern.page.getByRole('radio', { name: /This computer/ }).check()
  await lectern.page.getByRole('button', { name: 'Start' }).click()
  await lectern.page.evaluate(() => void (location.hash = '#/settings/accounts?add'))
})
afterAll(async () => {
  await lectern.close()
  await server.close()
})

test('removes the result of a check when the API key changes', async () => {
  const { page } = lectern
  const form = page.getByRole('form', { name: 'New account' })
  await form.getByText('Custom provider').click()
  await form.getByLabel('Base URL').fill(server.url)
  await form.getByLabel('API key').fill('wrong-key-0123456789')
  await form.getByLabel('Name').fill('Office')
  await form.locator('button[type=submit]').click()
  const card = page.getByRole('article', { name: 'Office' })
  const refused = card.getByText('The check failed, so this account isn’t in use.')
  await refused.waitFor(wait)
  await card.getByLabel('API key').fill('another-key-9876543210')
  await card.getByRole('button', { name: 'Replace API key' }).click()
  await refused.waitFor({ state: 'detached', ...wait })
  await card.getByRole('button', { name: 'Check connection' }).click()
  await refused.waitFor(wait)
  expect(server.requests.length).toBeGreaterThan(1)
})
