import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import mammoth from 'mammoth'
import type { Locator } from 'playwright-core'
import readXlsx from 'read-excel-file/node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { DocumentJson } from '../../src/main/domains/documents/exports/json.ts'
import { unzipped } from '../fixtures/unzip.ts'
import type { RequestOf } from '../../src/shared/contract/routes.ts'
import { openBrowser } from '../fixtures/chromium.ts'
import { startScriptedServer, type ScriptedServer } from '../fixtures/scripted-server.ts'
import {
  richCells,
  richFormulas,
  richPages,
  richWords,
} from '../main/domains/documents/exports/rich.ts'
import { dropFiles } from './gestures.ts'
import { openLectern, type Lectern, type SavedFile } from './lectern.ts'
import { secondPage } from './second-page.ts'

const wait = { timeout: 60_000 }
let lectern: Lectern
let service: ScriptedServer

/** Creates two pages with a drawing on each; the server determines their text. */
async function paper(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (const _ of richPages) {
    const page = pdf.addPage([595, 842])
    page.drawText('Waves', { x: 60, y: 780, size: 20, font })
    page.drawCircle({ x: 300, y: 150, size: 80 })
  }
  return pdf.save()
}

/** Returns the server's parse result of the pages. */
const reply = (): string =>
  JSON.stringify({
    id: 'layout-1',
    created: 1,
    model: 'wave-ocr',
    md_results: '# Waves',
    layout_details: richPages.map((blocks) =>
      blocks.map(({ label = 'text', content }, index) => ({
        index,
        label: ['table', 'formula', 'image'].includes(label) ? label : 'text',
        native_label: label,
        content,
        bbox_2d: [100, 100 + index * 120, 1100, 200 + index * 120],
      })),
    ),
    data_info: { num_pages: 2, pages: richPages.map(() => ({ width: 1190, height: 1684 })) },
  })

beforeAll(async () => {
  service = await startScriptedServer()
  service.always({ headers: { 'content-type': 'application/json' }, body: reply() })
  lectern = await openLectern({ width: 1400, height: 1700 })
  const { page, browser } = lectern
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Skip' }).click()
  const second = await secondPage(lectern.home)
  const { id } = await second.call('accounts.create', {
    preset: 'custom',
    name: 'Waves',
    baseUrl: service.url,
  })
  await second.call('accounts.setKey', { id, key: 'a-key-for-the-waves' })
  await second.call('accounts.activate', { id })
  second.close()
  await dropFiles(page, [{ name: 'waves.pdf', type: 'application/pdf', bytes: await paper() }])
  await page.getByRole('button', { name: 'Parse', exact: true }).click()
  await page.getByTestId('parse-progress').filter({ hasText: '2 of 2 pages parsed' }).waitFor(wait)
  await row('Words between').waitFor(wait)
})
afterAll(async () => {
  await lectern.close()
  await service.close()
})

afterEach(async () => {
  const dialog = lectern.page.getByRole('dialog')
  if (await dialog.isVisible()) await lectern.page.keyboard.press('Escape')
})

const row = (text: string): Locator =>
  lectern.page.locator('[data-testid="markdown-pane"] [data-b]', { hasText: text }).first()

/** Saves the document with the dialog; `change` fills it in first. */
async function saved(
  format: RequestOf<'documents.export'>['format'],
  change: (dialog: Locator) => Promise<void> = () => Promise.resolve(),
): Promise<SavedFile & { readonly bytes: Buffer }> {
  const { page } = lectern
  await page.getByTestId('document-export-open').click()
  await page.getByTestId('export-more').click()
  const dialog = page.getByRole('dialog')
  await dialog.locator(`input[type=radio][value=${format}]`).check()
  await change(dialog)
  const { name, path } = await lectern.saved(() =>
    dialog.getByRole('button', { name: 'Save' }).click(),
  )
  await dialog.waitFor({ state: 'detached', ...wait })
  return { name, path, bytes: await readFile(path) }
}
const bare = (text: string): string => text.replace(/\s+/g, '')
/** Returns how many passages of the created document a text contains, in order. */
function passages(text: string): number {
  let at = 0
  return richWords.filter((words) => {
    const next = bare(text).indexOf(bare(words), at)
    if (next >= 0) at = next
    return next >= 0
  }).length
}

test('exports Markdown with images for the selected pages, and reports invalid pages', async () => {
  const whole = await saved('md')
  expect(whole.name).toBe('waves.zip')
  const entries = unzipped(whole.bytes)
  expect(entries.map(({ name }) => name)).toEqual(['waves.md', 'images/page-0001-1.png'])
  const [text = ''] = entries.map((entry) => entry.bytes.toString('utf8'))
  expect(text).toContain('# On the Shape of Waves 论波的形状')
  expect(text).toContain('<td colspan="2">calm 平静</td>')
  for (const { tex } of richFormulas) expect(text).toContain(tex)
  const part = await saved('md', async (dialog) => {
    await dialog.getByTestId('export-pages').fill('9')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor(wait)
    await dialog.getByTestId('export-pages').fill('2')
    await dialog.getByTestId('export-page-marks').check()
  })
  expect(part.name).toBe('waves.md')
  expect(part.bytes.toString('utf8')).toMatch(/<!-- page 2 -->\n\n## 2 Results/)
  expect(part.bytes.toString('utf8')).not.toContain('first lamp')
})

test('exports from the menu with the options used last', async () => {
  const { page } = lectern
  const { name } = await saved('md', (dialog) => dialog.getByLabel('Include images').uncheck())
  expect(name).toBe('waves.md')
  await page.getByTestId('document-export-open').click()
  expect(await page.locator(':focus').innerText()).toMatch(/^Markdown/)
  const again = await lectern.saved(() => page.keyboard.press('Enter'))
  expect(again.name).toBe('waves.md')
  await saved('md', (dialog) => dialog.getByLabel('Include images').check())
})

test('exports a web page that shows the same text offline and sends no requests', async () => {
  const { path } = await saved('html')
  const browser = await openBrowser()
  const page = await browser.page()
  await browser.context.setOffline(true)
  const requestedUrls: string[] = []
  page.on('request', (request) => void requestedUrls.push(request.url().slice(0, 60)))
  await page.goto(pathToFileURL(path).href)
  const shown = await page.evaluate(() => ({
    text: document.body.innerText,
    formulas: document.querySelectorAll('math').length,
    wide: [...document.querySelectorAll('img')].map(({ naturalWidth }) => naturalWidth),
    spans: document.querySelectorAll('[rowspan="2"], [colspan="2"]').length,
    scripts: document.scripts.length,
  }))
  await browser.close()
  const requests = requestedUrls.filter((url) => !url.startsWith('data:')).length - 1
  console.log(
    `html offline: ${passages(shown.text)} of ${richWords.length} passages, ${shown.formulas} formulas, ${requests} requests`,
  )
  expect(passages(shown.text)).toBe(richWords.length)
  expect(shown).toMatchObject({ formulas: richFormulas.length + 2, spans: 4, scripts: 0 })
  expect(shown.wide.every((width) => width > 100)).toBe(true)
  expect(shown.wide).toHaveLength(1)
  expect(requests).toBe(0)
})

test('exports complete Word, Excel, CSV, text and JSON files', async () => {
  const { value } = await mammoth.extractRawText({ buffer: (await saved('docx')).bytes })
  // This reader does not return formulas as text.
  expect(passages(value)).toBe(richWords.length)
  const sheets = await readXlsx((await saved('xlsx')).bytes)
  const cells = sheets[1]?.data.map((line) =>
    line.map((cell) => (cell === null ? '' : String(cell))),
  )
  expect(cells).toEqual(richCells)
  const csv = unzipped((await saved('csv')).bytes)
  expect(csv.map(({ name }) => name)).toEqual(['page-0002-table-1.csv', 'about.txt'])
  const text = (await saved('txt')).bytes.toString('utf8')
  expect(passages(text)).toBe(richWords.length)
  expect(text.split('\f')).toHaveLength(3)
  const json = JSON.parse((await saved('json')).bytes.toString('utf8')) as DocumentJson
  expect(json.pages.map(({ blocks }) => blocks.map(({ content }) => content))).toEqual(
    richPages.map((blocks) => blocks.map(({ content }) => content)),
  )
})

/** Returns the clipboard content by type. */
const clipboard = (): Promise<Record<string, string>> =>
  lectern.page.evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    const kinds: Record<string, string> = {}
    for (const type of item?.types ?? []) {
      const blob = await item?.getType(type)
      kinds[type] = type.startsWith('text/') ? ((await blob?.text()) ?? '') : String(blob?.size)
    }
    return kinds
  })
/** Copies a block in one of its formats, from its menu. */
async function copied(block: Locator, form: string): Promise<Record<string, string>> {
  const { page } = lectern
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await block.hover()
  await block.getByTestId('block-copy').click()
  await page.getByTestId(`copy-${form}`).click()
  await expect.poll(async () => Object.values(await clipboard()).join(''), wait).not.toBe('')
  return clipboard()
}

test('copies each type of block as text and, where available, in a richer format', async () => {
  const words = await copied(row('quick brown fox'), 'text')
  expect(words['text/plain']).toMatch(/^The quick brown fox measures every wave with \$?E=mc\^2/)
  const markdown = await copied(row('quick brown fox'), 'markdown')
  expect(markdown['text/plain']).toContain('**every wave**')
  const formula = lectern.page.locator('[data-testid="markdown-pane"] [data-b]:has(.md-display)')
  const tex = await copied(formula.first(), 'latex')
  expect(tex['text/plain']).toBe(richFormulas[0]?.tex)
  const mathml = await copied(formula.first(), 'mathml')
  expect(mathml['text/plain']).toMatch(/^<math[^]*<mfrac>/)
  expect(mathml['text/html']).toMatch(/<math[^]*<mfrac>/)
  const figure = lectern.page.locator('[data-testid="markdown-pane"] [data-b]:has(img.cut)')
  const png = await copied(figure.first(), 'image')
  expect(Object.keys(png)).toEqual(['image/png'])
  expect(Number(png['image/png'])).toBeGreaterThan(500)
})

test('copies a table with its merged cells and pastes it with them', async () => {
  const both = await copied(row('Qingdao'), 'table')
  expect(both['text/plain']?.split('\n').map((line) => line.split('\t'))[4]).toEqual(richCells[4])
  expect(both['text/html']).toMatch(/rowspan="2"[^]*colspan="2"/)
  const page = await lectern.browser.context.newPage()
  await page.setContent('<div contenteditable id="there" style="min-height: 300px"></div>')
  await page.locator('#there').click()
  await page.keyboard.press('Control+V')
  await page.locator('#there table').waitFor(wait)
  const cells = await page.locator('#there td, #there th').evaluateAll((all) =>
    all.map((cell) => {
      const { colSpan, rowSpan, innerText } = cell as HTMLTableCellElement
      return [innerText.trim(), colSpan, rowSpan] as const
    }),
  )
  await page.close()
  expect(cells).toHaveLength(16)
  expect(cells.filter(([, columns, rows]) => columns * rows > 1)).toEqual([
    ['Harbour 港口', 1, 2],
    ['Waves 波', 2, 1],
    ['Bergen', 1, 2],
    ['calm 平静', 2, 1],
  ])
})

/** Selects from the beginning of one word to the end of another, and copies by keyboard. */
async function selected(from: string, to: string): Promise<Record<string, string>> {
  const { page } = lectern
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await page.getByTestId('markdown-pane').focus()
  await page.evaluate(
    ([first, last]) => {
      const pane = document.querySelector('[data-testid="markdown-pane"]')
      if (!pane) throw new Error('no pane')
      const place = (words: string, end: boolean): [Node, number] => {
        const walker = document.createTreeWalker(pane, NodeFilter.SHOW_TEXT)
        while (walker.nextNode()) {
          const node = walker.currentNode
          const at = (node.textContent ?? '').indexOf(words)
          if (at >= 0) return [node, at + (end ? words.length : 0)]
        }
        throw new Error(`no ${words}`)
      }
      getSelection()?.setBaseAndExtent(...place(first, false), ...place(last, true))
    },
    [from, to] as const,
  )
  await page.keyboard.press('Control+C')
  await expect.poll(async () => (await clipboard())['text/plain'] ?? '', wait).not.toBe('')
  return clipboard()
}

test('copies a selection across blocks and pages in reading order, without app controls', async () => {
  const both = await selected('brown fox', 'Words between')
  const text = both['text/plain'] ?? ''
  expect(text).toMatch(/^brown fox measures every wave with \$E=mc\^2\$ and patience/)
  expect(text).toContain('\n\n## 1 Methods 方法\n\n- first lamp\n- second lamp\n  - inner lamp')
  expect(text).toMatch(/脚注一则。\n\n[^]*## 2 Results 结果\n\n<table>/)
  expect(text).toMatch(/\n\nWords between$/)
  const html = both['text/html'] ?? ''
  expect(html).toContain('<strong>every wave</strong>')
  expect(html).toMatch(/<math[^]*<\/math>/)
  expect(html).toMatch(/<th rowspan="2"[^>]*>Harbour 港口<\/th>/)
  for (const own of ['<button', 'class="md', 'data-', 'Copy', 'Page 2']) {
    expect(text).not.toContain(own)
    expect(html).not.toContain(own)
  }
})

test('causes no policy violations', () => {
  expect(lectern.trouble.violations).toEqual([])
  expect(lectern.trouble.errors).toEqual([])
  expect(lectern.trouble.strangers).toEqual([])
})
