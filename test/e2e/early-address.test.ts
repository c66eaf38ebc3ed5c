import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLectern, type Lectern } from './lectern.ts'

let lectern: Lectern
beforeAll(async () => {
  lectern = await openLectern()
})
afterAll(() => lectern.close())

test('opens a URL entered while the first view is still loading', async () => {
  const { page } = lectern
  const held = Promise.withResolvers<void>()
  await page.route(/MeetingsView.*\.js/, async (route) => {
    await held.promise
    await route.continue()
  })
  // The delayed view is part of what the page waits for before its load event.
  await page.reload({ waitUntil: 'commit' })
  await page.locator('nav').first().waitFor()
  await page.goto(new URL('/#/settings', page.url()).href, { waitUntil: 'commit' })
  held.resolve()
  await page.locator('nav h1').waitFor()
  expect(new URL(page.url()).hash).toBe('#/settings')
}, 30_000)
