import { degrees } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PageEngine } from '../../src/local-service/engines/pages.ts'
import { outline, readAll, startPages, problemOf } from './fixtures/pages.ts'
import { makePdf } from './fixtures/papers.ts'
import type { Sheet } from './fixtures/papers.ts'

let engine: PageEngine

beforeAll(() => {
  engine = startPages()
})
afterAll(() => engine.stop())

const words =
  'The harbour lies below the town, and its ships come in with the morning tide to unload grain and salt.'
const paragraph = (name: string): string => `${name} begins here. ${words} ${words} ${words}`

/** Writes a running title, and a page number at the bottom. */
function edges(sheet: Sheet, number: number): void {
  sheet.write('Notes on the harbour', 72, 760, 9)
  sheet.write(String(number), 303, 30, 9)
}

function twoColumns(sheet: Sheet): void {
  edges(sheet, 1)
  sheet.write('A Town and Its Harbour', 150, 700, 24, true)
  sheet.write('1 Ships', 72, 660, 14, true)
  const left = sheet.flow(paragraph('Alpha'), 72, 638, 215)
  sheet.flow(paragraph('Beta'), 72, left - 10, 215)
  sheet.write('1.1 Cargo', 325, 660, 12, true)
  const right = sheet.flow(paragraph('Gamma'), 325, 638, 215)
  sheet.flow(paragraph('Delta'), 325, right - 10, 215)
}

function listAndTable(sheet: Sheet): void {
  edges(sheet, 2)
  sheet.flow(words, 72, 700, 460)
  for (const [i, item] of ['grain from the north', 'salt from the coast', 'wool'].entries()) {
    sheet.write('\u2022', 80, 640 - 15 * i)
    sheet.write(item, 94, 640 - 15 * i)
  }
  const rows = [
    ['Ship', 'Tons', 'Port'],
    ['Aurora', '120', 'Leeds'],
    ['Borealis', '85', 'Porto'],
  ]
  for (const [r, row] of rows.entries())
    for (const [c, text] of row.entries())
      sheet.write(text, 110 + 120 * c, 505 - 20 * r, 11, r === 0)
  for (let r = 0; r <= 3; r++) sheet.line(100, 520 - 20 * r, 460, 520 - 20 * r)
  for (let c = 0; c <= 3; c++) sheet.line(100 + 120 * c, 520, 100 + 120 * c, 460)
  sheet.flow(words, 72, 430, 460)
}

test('reads a page in columns heading by heading and column by column', async () => {
  const [page] = await readAll(engine, await makePdf([twoColumns, listAndTable]))
  const lines = outline(page).map((line) => line.slice(0, 40))
  expect(lines).toEqual([
    'header: Notes on the harbour',
    'doc_title: # A Town and Its Harbour',
    'paragraph_title: ## 1 Ships',
    expect.stringMatching(/^text: Alpha begins here\. The harbour/),
    expect.stringMatching(/^text: Beta begins here\./),
    'paragraph_title: ### 1.1 Cargo',
    expect.stringMatching(/^text: Gamma begins here\./),
    expect.stringMatching(/^text: Delta begins here\./),
    'number: 1',
  ])
  expect(page?.blocks[3]?.content).toBe(paragraph('Alpha'))
})

test('reads lists as items and ruled tables as HTML with a header', async () => {
  const pages = await readAll(engine, await makePdf([twoColumns, listAndTable]), 'pdf', { from: 2 })
  expect(pages.map(({ number }) => number)).toEqual([2])
  expect(outline(pages[0])).toEqual([
    'header: Notes on the harbour',
    `text: ${words}`,
    'list: - grain from the north\n- salt from the coast\n- wool',
    'table: <table><thead><tr><th>Ship</th><th>Tons</th><th>Port</th></tr></thead><tbody><tr><td>Aurora</td><td>120</td><td>Leeds</td></tr><tr><td>Borealis</td><td>85</td><td>Porto</td></tr></tbody></table>',
    `text: ${words}`,
    'number: 2',
  ])
})

test('reads merged cells as spans, and cells without rules by their positions', async () => {
  const bytes = await makePdf([
    (sheet) => {
      sheet.write('Both ports', 110, 605)
      sheet.write('Leeds', 110, 585)
      sheet.write('Porto', 230, 585)
      for (const y of [620, 600, 580]) sheet.line(100, y, 340, y)
      for (const x of [100, 340]) sheet.line(x, 620, x, 580)
      sheet.line(220, 600, 220, 580)
      const rows = [
        ['Year', 'Ships', 'Salt'],
        ['1801', '14', '120'],
        ['1802', '9', '85'],
        ['1803', '22', '301'],
      ]
      for (const [r, row] of rows.entries())
        for (const [c, text] of row.entries()) sheet.write(text, 110 + 90 * c, 500 - 16 * r)
    },
  ])
  const [page] = await readAll(engine, bytes)
  expect(outline(page)).toEqual([
    'table: <table><tbody><tr><td colspan="2">Both ports</td></tr><tr><td>Leeds</td><td>Porto</td></tr></tbody></table>',
    'table: <table><thead><tr><th>Year</th><th>Ships</th><th>Salt</th></tr></thead><tbody><tr><td>1801</td><td>14</td><td>120</td></tr><tr><td>1802</td><td>9</td><td>85</td></tr><tr><td>1803</td><td>22</td><td>301</td></tr></tbody></table>',
  ])
})

test('joins words hyphenated at the end of a line', async () => {
  const bytes = await makePdf([
    (sheet) => {
      sheet.write('The quick brown fox jumps over the fence of the neigh-', 72, 700)
      sheet.write('bour, who looks on from his well-', 72, 686)
      sheet.write('Known window and says nothing about it to anybody at all.', 72, 672)
    },
  ])
  const [page] = await readAll(engine, bytes)
  expect(page?.blocks.map(({ content }) => content)).toEqual([
    'The quick brown fox jumps over the fence of the neighbour, who looks on from his well-Known window and says nothing about it to anybody at all.',
  ])
})

test('returns boxes in pixels of the visible page: 200 per inch, rotated and cropped', async () => {
  const draw = (sheet: Sheet): void => sheet.write('Here', 72, 700, 12)
  const plain = await readAll(engine, await makePdf([draw]))
  const turned = await readAll(
    engine,
    await makePdf([draw], (document) => document.getPage(0).setRotation(degrees(90))),
  )
  const cropped = await readAll(
    engine,
    await makePdf([draw], (document) => document.getPage(0).setCropBox(36, 600, 300, 150)),
  )
  const sizes = [plain, turned, cropped].map(([page]) => [page?.width, page?.height])
  expect(sizes).toEqual([
    [1700, 2200],
    [2200, 1700],
    [834, 417],
  ])
  const [left = 0, top = 0, right = 0, bottom = 0] = plain[0]?.blocks[0]?.box ?? []
  // The baseline is 700 points above the lower edge, the text begins an inch from the left.
  expect(Math.abs(left - 200)).toBeLessThanOrEqual(3)
  expect(bottom).toBeGreaterThan(((792 - 700) / 72) * 200)
  expect(top).toBeLessThan(((792 - 709) / 72) * 200)
  expect(right - left).toBeLessThan(90)
  const [cropLeft = 0, cropTop = 0] = cropped[0]?.blocks[0]?.box ?? []
  expect(Math.abs(cropLeft - 100)).toBeLessThanOrEqual(3)
  expect(Math.abs(cropTop - (top - ((792 - 750) / 72) * 200))).toBeLessThanOrEqual(3)
  expect(turned[0]?.source).toBe('text layer')
  // Rotated by a quarter turn, the line runs downwards: at the same place, higher than wide.
  const [tl = 0, tt = 0, tr = 0, tb = 0] = turned[0]?.blocks[0]?.box ?? []
  expect(tb - tt).toBeGreaterThan(tr - tl)
})

test('distinguishes unreadable files', async () => {
  const whole = await makePdf([(sheet) => sheet.write('One', 72, 700)])
  const locked = await makePdf([(sheet) => sheet.write('One', 72, 700)], (document) =>
    document.encrypt({ userPassword: 'harbour', ownerPassword: 'owner' }),
  )
  const junk = new TextEncoder().encode('%PDF-1.7 and nothing else')
  expect(await problemOf(readAll(engine, locked))).toBe('encrypted')
  expect(await problemOf(readAll(engine, junk))).toBe('damaged')
  expect(await problemOf(readAll(engine, whole, 'pdf', { from: 1, to: 2 }))).toBe('no-such-page')
  expect(await problemOf(readAll(engine, whole, 'pdf', { from: 0 }))).toBe('no-such-page')
  const gone = AbortSignal.abort()
  expect(await problemOf(readAll(engine, whole, 'pdf', { signal: gone }))).toBe('cancelled')
  expect(await problemOf(engine.count(junk, 'pdf', new AbortController().signal))).toBe('damaged')
  // The worker is still running.
  expect((await readAll(engine, whole))[0]?.blocks[0]?.content).toBe('One')
})

test('stops between two pages when the caller disconnects', async () => {
  const bytes = await makePdf(Array.from({ length: 40 }, () => twoColumns))
  const leaving = new AbortController()
  const seen: number[] = []
  const readResult = readAll(engine, bytes, 'pdf', {
    signal: leaving.signal,
    onPage: ({ number }) => {
      seen.push(number)
      leaving.abort()
    },
  })
  expect(await problemOf(readResult)).toBe('cancelled')
  expect(seen.length).toBeLessThan(40)
})

test('returns an empty page without words', async () => {
  const [page] = await readAll(engine, await makePdf([() => undefined]))
  expect(page).toMatchObject({ number: 1, source: 'nothing', blocks: [] })
})
