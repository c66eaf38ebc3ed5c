import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHarness, type BuiltHarness } from '../fixtures/built-harness.ts'
import { openBrowser, watch, type Browser, type Problem } from '../fixtures/chromium.ts'
import { hostileMarkdown, type HostileBlock } from '../fixtures/hostile-markdown.ts'

let harness: BuiltHarness
let browser: Browser
let page: Page
let trouble: Problem
let trap: Server
let hits: string[]
let trapUrl: string
/** Requests of the page to its own origin. */
const requests: string[] = []

beforeAll(async () => {
  hits = []
  trap = createServer((request, response) => {
    hits.push(`${request.method} ${request.url}`)
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('trapped')
  })
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
  trapUrl = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`
  harness = await openHarness('test/renderer/lib/markdown/harness')
  browser = await openBrowser()
  page = await browser.page()
  trouble = await watch(page, harness.origin)
  page.on('request', (request) => {
    // A blob is memory of the page: it causes no network request.
    if (!request.url().startsWith(`blob:${harness.origin}/`))
      requests.push(request.url().slice(harness.origin.length))
  })
  await page.goto(harness.origin)
})
afterAll(async () => {
  await browser.close()
  await harness.close()
  const closed = new Promise((resolve) => trap.close(resolve))
  trap.closeAllConnections()
  await closed
})

/** Report of the page on a rendered block. */
interface DrawResult {
  readonly state: 'drawn' | 'heavy' | 'over'
  readonly nodes: number
}

const draw = (block: HostileBlock, anyway = false): Promise<DrawResult> =>
  page.evaluate(
    ([one, asks]) => {
      const way: unknown = Reflect.get(window, 'drawBlock')
      if (typeof way !== 'function') throw new Error('The page has no way in')
      return way(one, asks) as DrawResult
    },
    [block, anyway] as const,
  )

/** Interacts with everything a block rendered, as a user would. */
const touch = (): Promise<void> =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll('#blocks *')].slice(0, 3000)
    for (const element of all)
      for (const type of ['pointerenter', 'mouseover', 'focus', 'toggle', 'click', 'auxclick'])
        element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }))
  })

/** Returns elements and attributes that a block must not bring into the page. */
const strange = (): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    const ours = new Set([
      'md',
      'md-link',
      'md-picture',
      'md-table',
      'md-formula',
      'md-display',
      'md-undrawn',
    ])
    for (const element of document.querySelectorAll('#blocks .md *')) {
      const name = element.localName
      if (element.closest('.katex, .katex-display')) {
        if (/^(a|img|script|iframe|object|form)$/.test(name)) found.push(`katex ${name}`)
        continue
      }
      if (
        /^(script|style|link|meta|base|form|input|button|textarea|select|iframe|object|embed|svg|math|video|audio|source|template)$/.test(
          name,
        )
      )
        found.push(name)
      for (const { name: attribute, value } of element.attributes) {
        if (/^(on|id$|name$|srcset|href|ping|action|background|poster|slot|is$)/.test(attribute))
          found.push(`${name} ${attribute}`)
        if (attribute === 'src' && !/^data:image\/(png|jpeg);base64,/.test(value))
          found.push(`${name} ${value}`)
        if (attribute === 'style' && (!/^t[dh]$/.test(name) || !/^[\w:;%. -]*$/.test(value)))
          found.push(`${name} ${value}`)
        if (attribute.startsWith('data-') && !/^data-(url|tex)$/.test(attribute))
          found.push(`${name} ${attribute}`)
        if (
          attribute === 'class' &&
          value.split(' ').some((one) => !ours.has(one) && !one.startsWith('md-'))
        )
          found.push(`${name} .${value}`)
      }
    }
    return found
  })

test('covers forty different hostile blocks', () => {
  const names = hostileMarkdown('http://127.0.0.1:1').map(({ name }) => name)
  expect(new Set(names).size).toBeGreaterThanOrEqual(40)
})

/** Browser messages about handlers and base URLs during parsing, in a document that runs nothing. */
const ofParsing = /^(Executing inline event handler|Setting the document's base URI)/

test.each([
  { where: "under the app's policy", path: '/' },
  { where: 'without any policy', path: '/open/' },
])(
  'sends no requests, runs no scripts and adds no elements for hostile blocks, $where',
  async ({ path }) => {
    await page.goto(`${harness.origin}${path}`)
    await page.waitForFunction(() => Reflect.has(window, 'drawBlock'))
    requests.length = 0
    for (const block of hostileMarkdown(trapUrl)) {
      const result = await draw(block)
      await touch()
      expect([block.name, await strange()]).toEqual([block.name, []])
      expect([block.name, result.nodes < 20_000]).toEqual([block.name, true])
      await page.evaluate(() => document.querySelector('#blocks')?.replaceChildren())
    }
    await page.waitForTimeout(500)
    expect(hits).toEqual([])
    expect(trouble.strangers).toEqual([])
    expect(trouble.errors.filter((error) => !ofParsing.test(error))).toEqual([])
    expect(
      requests.filter((one) => !one.startsWith('/') || !/\/assets\/KaTeX_[\w-]+\.woff2$/.test(one)),
    ).toEqual([])
    expect(await page.evaluate(() => Reflect.get(window, '__ran') as unknown)).toBeUndefined()
    expect(await page.evaluate(() => location.pathname)).toBe(path)
  },
)

test('sanitizes element by element with the same result as at once, and again on redraw', async () => {
  await page.goto(`${harness.origin}/open/`)
  await page.waitForFunction(() => Reflect.has(window, 'drawnAs'))
  const drawnAs = (block: HostileBlock, elements: number): Promise<readonly string[]> =>
    page.evaluate(
      ([one, maxElements]) => {
        const way: unknown = Reflect.get(window, 'drawnAs')
        if (typeof way !== 'function') throw new Error('The page has no way in')
        return way(one, maxElements) as string[]
      },
      [block, elements] as const,
    )
  for (const block of hostileMarkdown(trapUrl)) {
    const [whole, again] = await drawnAs(block, 100_000)
    const stepped = await drawnAs(block, 1)
    expect([block.name, again]).toEqual([block.name, whole])
    expect([block.name, stepped]).toEqual([block.name, [whole, again]])
  }
  expect(hits).toEqual([])
})

test('causes no policy violations for images or styles', () => {
  const violations = trouble.violations.filter(
    (one) => !/^(script-src-attr|script-src|base-uri)/.test(one),
  )
  expect(violations).toEqual([])
})

test('shows oversized blocks as source, some until requested, some permanently', async () => {
  const states = new Map<string, string>()
  for (const block of hostileMarkdown(trapUrl)) states.set(block.name, (await draw(block)).state)
  expect(states.get('a table ten thousand deep')).toBe('over')
  expect(states.get('ten thousand formulas')).not.toBe('drawn')
  expect(states.get('a megabyte of words')).toBe('over')
  expect(states.get('script')).toBe('drawn')
})

test('renders formulas with the bundled fonts, in text and in cells', async () => {
  await page.goto(harness.origin)
  await page.waitForFunction(() => Reflect.has(window, 'drawBlock'))
  requests.length = 0
  await draw({
    name: 'formulas',
    kind: 'table',
    content:
      '<table><tr><td>$a<b^2$</td></tr></table>\n\nand `$code$`, $\\sum_1^n x$, \\$5\\$, $wrong{$',
  })
  await page.evaluate(() => document.fonts.ready)
  const rendered = await page.evaluate(() => ({
    cell: document.querySelector('td .katex math annotation')?.textContent,
    math: document.querySelectorAll('.katex-html').length,
    code: document.querySelector('code')?.textContent,
    wrong: document.querySelector('.md-undrawn')?.textContent,
    words: document.querySelector('.md > p')?.textContent?.includes('$5$'),
    faces: [...document.fonts].filter(({ status }) => status === 'loaded').length,
  }))
  expect(rendered).toMatchObject({
    cell: 'a<b^2',
    math: 2,
    code: '$code$',
    wrong: '$wrong{$',
    words: true,
  })
  expect(rendered.faces).toBeGreaterThan(0)
  // The requested fonts were loaded, and only from the app.
  expect(trouble.strangers).toEqual([])
})
