import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startKeyringSession, type KeyringSession } from '../fixtures/keyring-session.ts'
import { startTestService, type TestService } from '../local-service/fixtures/service.ts'
import { dropFiles } from './gestures.ts'
import { openLectern, type Lectern } from './lectern.ts'
import {
  columnsPaper,
  lockedPaper,
  longPages,
  longPaper,
  photoPaper,
  rightPassword,
  type Paper,
} from './papers.ts'
import { secondPage } from './second-page.ts'

const wait = { timeout: 120_000 }
let lectern: Lectern
let keyring: KeyringSession
let service: TestService
let long: Awaited<ReturnType<typeof longPaper>>

beforeAll(async () => {
  long = await longPaper()
  keyring = await startKeyringSession()
  service = await startTestService()
  lectern = await openLectern({ env: keyring.env, width: 1400, height: 900 })
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
  // A service in a separate process: it can be stopped while the app keeps running.
  const second = await secondPage(lectern.home, keyring.env)
  const made = await second.call('accounts.create', {
    preset: 'custom',
    name: 'Beside',
    baseUrl: service.url,
  })
  await second.call('accounts.setKey', { id: made.id, key: service.key })
  await second.call('accounts.activate', { id: made.id })
  second.close()
})
afterAll(async () => {
  await lectern.close()
  await service.stop()
  await keyring.stop()
})

const text = (): Locator => lectern.page.getByTestId('markdown-pane')
const pages = (): Locator => lectern.page.getByRole('region', { name: 'Pages', exact: true })
const blockWith = (words: string): Locator =>
  text().locator('[data-b]', { hasText: new RegExp(loosely(words), 'i') })
/** Returns words as a pattern that allows line breaks between them. */
const loosely = (words: string): string =>
  words.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(' ', String.raw`\s+`)
const squeezed = (words: string): string => words.replaceAll(/[\s\u00AD-]/g, '').toLowerCase()

/** Drops a file and waits until its page is open. */
async function open({ file }: Paper): Promise<void> {
  const { page } = lectern
  await dropFiles(page, [file])
  const title = file.name.replace(/\.\w+$/, '')
  await page.getByRole('main').getByRole('heading', { level: 1, name: title }).waitFor(wait)
}

/** Waits until the open document is parsed; returns the seconds until the last page. */
async function parsed(count: number): Promise<number> {
  const { page } = lectern
  const began = Date.now()
  await page
    .getByTestId('parse-progress')
    .filter({ hasText: `${count} of ${count} page` })
    .waitFor(wait)
  return (Date.now() - began) / 1000
}

const goTo = async (page: number): Promise<void> => {
  const field = lectern.page.getByRole('textbox', { name: 'Go to page' })
  await field.fill(String(page))
  await field.press('Enter')
}

/** Returns the page's own text inside the highlighted or selected box, as laid out by the browser. */
const lettersUnder = (box: Locator): Promise<string> =>
  box.evaluate((lit) => {
    const room = lit.getBoundingClientRect()
    const letters = lit.closest('[data-page]')?.querySelectorAll('.layer span') ?? []
    return [...letters]
      .filter((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect()
        const [x, y] = [(left + right) / 2, (top + bottom) / 2]
        return x >= room.left && x <= room.right && y >= room.top && y <= room.bottom
      })
      .map((one) => one.textContent)
      .join('')
  })

/** Returns the share of the rendered page that is not blank. */
const inkOf = (page: number): Promise<number> =>
  pages()
    .locator(`[data-page="${page}"]`)
    .evaluate((frame) => {
      const canvas = frame.querySelector('canvas')
      if (!canvas || canvas.width === 0) return 0
      const context = canvas.getContext('2d')
      const { data } = context?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
      let ink = 0
      for (let at = 0; at < data.length; at += 4)
        if ((data[at + 3] ?? 0) > 0 && (data[at] ?? 255) < 200) ink += 1
      return ink / Math.max(1, data.length / 4)
    })

let parsedParts = 0

test('parses a PDF over the page limit in parts, receives every page, and plans another parse', async () => {
  await open(long)
  // Documents that arrive later are parsed with the same account at once.
  await lectern.page
    .getByTestId('parse-offer')
    .filter({ hasText: `${longPages} pages` })
    .getByRole('button', { name: 'Parse', exact: true })
    .click()
  const seconds = await parsed(longPages)
  await lectern.page.getByTestId('document-more').click()
  await lectern.page.getByTestId('parse-again').click()
  await lectern.page.getByLabel('Parse again if already parsed').check()
  const plan = lectern.page.getByTestId('parse-plan')
  await plan.filter({ hasText: new RegExp(`^${longPages} pages, .*about`) }).waitFor(wait)
  // Each part is one request.
  parsedParts = Number(/about (\d+) requests/.exec(await plan.innerText())?.[1])
  expect(parsedParts).toBeGreaterThan(1)
  const pagesField = lectern.page.getByTestId('parse-card').getByRole('textbox', { name: 'Pages' })
  await pagesField.fill('100-200')
  await lectern.page.getByText(`“100-200” is past the last page, ${longPages}.`).waitFor(wait)
  await lectern.page.keyboard.press('Escape')
  console.log(
    `${long.made ? 'made twin' : long.file.name}: ${longPages} of ${longPages} pages in ${parsedParts} parts, ${seconds.toFixed(1)} s`,
  )
})

test('highlights the other side on hover, from the first pages to the last', async () => {
  const { page } = lectern
  const { probes } = long
  for (const { page: number, words } of probes) {
    await goTo(number)
    const block = blockWith(words).first()
    await block.waitFor(wait)
    await block.scrollIntoViewIfNeeded()
    await block.hover({ position: { x: 24, y: 8 } })
    const lit = pages().locator(`[data-page="${number}"] .lit`)
    await lit.waitFor({ ...wait, state: 'attached' })
    await expect
      .poll(async () => squeezed(await lettersUnder(lit)), wait)
      .toContain(squeezed(words))
    const place = await lit.boundingBox()
    const room = await pages().boundingBox()
    if (!place || !room) throw new Error('the lit block has no place')
    const y = Math.max(place.y, room.y) + 3
    await page.mouse.move(2, 2)
    await expect.poll(() => pages().locator('.lit').count(), wait).toBe(0)
    await page.mouse.move(place.x + place.width / 2, y)
    await expect.poll(() => block.evaluate((one) => one.classList.contains('lit')), wait).toBe(true)
    await page.mouse.move(2, 2)
  }
  console.log(`lit both ways on pages ${probes.map((probe) => probe.page).join(', ')}`)
})

/** Searches for words, opens the only result, and returns the page's own text at the marked block. */
async function search(words: string): Promise<{ hits: number; under: string; page: string }> {
  const { page } = lectern
  const box = page.getByRole('searchbox', { name: 'Search documents' })
  await box.fill(`"${words}"`)
  const hits = page.getByRole('list', { name: 'Results' }).getByRole('link')
  await hits
    .filter({ hasText: new RegExp(loosely(words), 'i') })
    .first()
    .waitFor(wait)
  const count = await hits.count()
  await hits.first().click()
  const chosen = text().locator('.chosen')
  await chosen.filter({ hasText: new RegExp(loosely(words), 'i') }).waitFor(wait)
  const marked = pages().locator('.box.chosen')
  await marked.waitFor({ ...wait, state: 'attached' })
  await expect
    .poll(async () => squeezed(await lettersUnder(marked)), wait)
    .toContain(squeezed(words))
  const number = await marked.evaluate((one) =>
    one.closest('[data-page]')?.getAttribute('data-page'),
  )
  const under = await lettersUnder(marked)
  await box.fill('')
  return { hits: count, under, page: number ?? '' }
}

test('opens a search result at the block that contains the words, on its page', async () => {
  const { probes } = long
  for (const { page, words } of probes) {
    const found = await search(words)
    console.log(`"${words}": ${found.hits} hit, page ${found.page}`)
    expect(found).toMatchObject({ hits: 1, page: String(page) })
  }
})

test('asks for the password of a locked document, reports a wrong one, and accepts the right one', async () => {
  const { page } = lectern
  const locked = await lockedPaper()
  await open(locked)
  const card = page.getByTestId('password-card')
  await card.waitFor(wait)
  const field = card.getByLabel('Password')
  await field.fill('closesesame')
  await card.getByRole('button', { name: 'Unlock' }).click()
  await card.getByText('Incorrect password. Try again.').waitFor(wait)
  await field.fill(rightPassword)
  await card.getByRole('button', { name: 'Unlock' }).click()
  await card.waitFor({ ...wait, state: 'detached' })
  const seconds = await parsed(1)
  await blockWith(locked.words).first().waitFor(wait)
  await expect.poll(() => inkOf(1), wait).toBeGreaterThan(0.001)
  console.log(`locked, ${locked.made ? 'made' : locked.file.name}: read in ${seconds.toFixed(1)} s`)
})

/** Returns the width in pixels of the provider's image of a page layout. */
async function layoutOf(page: number): Promise<number> {
  await lectern.page
    .getByRole('button', { name: `Page ${page} actions` })
    .first()
    .click()
  await lectern.page.getByRole('menuitem', { name: 'Show page layout' }).click(wait)
  const image = lectern.page.getByTestId('layout-image')
  const width = () =>
    image.evaluate((one) => (one instanceof HTMLImageElement ? one.naturalWidth : 0))
  await expect.poll(width, wait).toBeGreaterThan(0)
  const wide = await width()
  await lectern.page.getByRole('button', { name: 'Close', exact: true }).last().click()
  return wide
}

test('opens a photo as a document of one page in the same reader', async () => {
  const photo = await photoPaper()
  await open(photo)
  const seconds = await parsed(1)
  await lectern.page.getByTestId('document-more').click()
  await lectern.page.getByTestId('parse-again').click()
  await lectern.page.getByLabel('Include layout images').check()
  const dialog = lectern.page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Parse', exact: true }).click()
  await dialog.waitFor({ ...wait, state: 'detached' })
  await text().getByText('Version 2').first().waitFor(wait)
  const figure = text().locator('[data-b] img').first()
  await figure.waitFor(wait)
  const width = () =>
    figure.evaluate((one) => (one instanceof HTMLImageElement ? one.naturalWidth : 0))
  await expect.poll(width, wait).toBeGreaterThan(50)
  await expect.poll(() => inkOf(1), wait).toBeGreaterThan(0.2)
  await text().locator('[data-b]').first().hover()
  await pages()
    .locator('.lit')
    .waitFor({ ...wait, state: 'attached' })
  const drawn = await layoutOf(1)
  expect(drawn).toBeGreaterThan(100)
  console.log(`photo, ${photo.made ? 'made' : photo.file.name}: read in ${seconds.toFixed(1)} s`)
})

test('reads a two-column document one column after the other', async () => {
  const columns = await columnsPaper()
  await open(columns)
  await parsed(columns.made ? 2 : 3)
  await goTo(2)
  const paragraphs = text().locator('[data-b][data-page="2"]')
  await paragraphs.filter({ hasText: columns.starts[0] ?? '' }).waitFor(wait)
  const read = async () => {
    const texts = await paragraphs.allInnerTexts()
    return texts.slice(0, columns.starts.length)
  }
  await expect
    .poll(read, wait)
    .toEqual(columns.starts.map((start) => expect.stringMatching(`^${start}`)))
  console.log(
    `columns, ${columns.made ? 'made' : columns.file.name}: ${columns.starts.join(' > ')}`,
  )
})

test('shows everything and renders pages after a restart without the provider', async () => {
  await service.stop()
  lectern = await lectern.restart()
  const { page } = lectern
  await page.getByRole('link', { name: 'Documents' }).click()
  await page
    .getByRole('contentinfo')
    .getByText(/offline/i)
    .first()
    .waitFor(wait)
  const { probes } = long
  const last = probes.at(-1)
  if (!last) throw new Error('no words are known')
  const found = await search(last.words)
  expect(found).toMatchObject({ hits: 1, page: String(longPages) })
  await page
    .getByTestId('parse-progress')
    .filter({ hasText: `${longPages} of ${longPages} pages parsed` })
    .waitFor(wait)
  await expect.poll(() => inkOf(longPages), wait).toBeGreaterThan(0.001)
  const ink = await inkOf(longPages)
  await page.getByRole('link', { name: 'Library' }).click()
  const row = page
    .getByRole('main')
    .getByRole('list', { name: 'Library' })
    .getByRole('link')
    .filter({ hasText: long.file.name.slice(0, 7) })
  await row.filter({ hasText: `${longPages} pages` }).waitFor(wait)
  expect(await row.innerText()).toContain('Document')
  console.log(`offline: ${found.hits} hit, page ${found.page}, ink ${(ink * 100).toFixed(1)} %`)
})

test('causes no policy violations, external requests or errors', () => {
  const { violations, errors, strangers } = lectern.trouble
  expect({ violations, errors, strangers }).toEqual({ violations: [], errors: [], strangers: [] })
})
