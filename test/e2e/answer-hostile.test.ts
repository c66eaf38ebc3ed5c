import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHarness, type BuiltHarness } from '../fixtures/built-harness.ts'
import { openBrowser, watch, type Browser, type Problem } from '../fixtures/chromium.ts'
import { hostileAnswers } from '../fixtures/hostile-answers.ts'
import { hostileMarkdown } from '../fixtures/hostile-markdown.ts'
import { longTexts } from '../renderer/lib/markdown/stream/long-texts.ts'

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
  harness = await openHarness('test/renderer/lib/markdown/answer-harness')
  browser = await openBrowser()
  page = await browser.page()
  trouble = await watch(page, harness.origin)
  page.on('request', (request) => {
    // A blob is memory of the page: it causes no network request.
    if (!request.url().startsWith(`blob:${harness.origin}/`))
      requests.push(request.url().slice(harness.origin.length))
  })
})
afterAll(async () => {
  await browser.close()
  await harness.close()
  const closed = new Promise((resolve) => trap.close(resolve))
  trap.closeAllConnections()
  await closed
})

/** Streams a text in this many pieces; afterward the rest is rendered, including formulas and diagrams. */
const stream = (text: string, chunkCount: number): Promise<void> =>
  page.evaluate(
    async ([whole, count]) => {
      const call = (name: string, ...values: unknown[]): void => {
        const way: unknown = Reflect.get(window, name)
        if (typeof way !== 'function') throw new Error('The page has no way in')
        way(...values)
      }
      // There is no source 4.
      call('begin', [1, 2, 3, 5, 6, 7, 8, 9])
      const length = Math.ceil(whole.length / count)
      for (let end = length; end < whole.length; end += length)
        call('show', whole.slice(0, end), true, 20)
      call('show', whole, false, 1000)
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20)))
    },
    [text, chunkCount] as const,
  )

/** Interacts with everything that was rendered, as a user would. */
const touch = (): Promise<void> =>
  page.evaluate(() => {
    for (const element of [...document.querySelectorAll('.md-answer *')].slice(0, 300))
      for (const type of ['pointerenter', 'mouseover', 'focus', 'toggle', 'click', 'auxclick'])
        element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }))
  })

/** Returns elements and attributes that an answer must not bring into the page. */
const strange = (): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    for (const element of document.querySelectorAll('.md-answer *')) {
      const name = element.localName
      if (element.closest('.katex, .katex-display')) {
        if (/^(a|img|script|iframe|object|form)$/.test(name)) found.push(`katex ${name}`)
        continue
      }
      const ours = element.closest('.md-code-head, button.md-cite') !== null
      if (
        /^(script|style|link|meta|base|form|input|textarea|select|iframe|object|embed|svg|math|video|audio|source|template|details|reference)$/.test(
          name,
        ) ||
        (name === 'button' && !ours)
      )
        found.push(name)
      for (const { name: attribute, value } of element.attributes) {
        if (
          /^(on|id$|name$|srcset|href|ping|action|background|poster|slot|is$|lang$)/.test(attribute)
        )
          found.push(`${name} ${attribute}`)
        if (attribute === 'src' && !/^(data:image\/(png|jpeg);base64,|blob:)/.test(value))
          found.push(`${name} ${value}`)
        // Heights of parts outside of the page, and columns of long tables.
        if (attribute === 'style' && !/^(div|table|col)$/.test(name))
          if (!/^t[dh]$/.test(name) || !/^[\w:;%. -]*$/.test(value)) found.push(`${name} ${value}`)
        if (attribute.startsWith('data-') && !/^data-(url|tex|lang|n|act|drawn)$/.test(attribute))
          found.push(`${name} ${attribute}`)
        if (
          attribute === 'class' &&
          value.split(' ').some((one) => one !== 'md' && !/^(md|tk)-/.test(one))
        )
          found.push(`${name} .${value}`)
      }
    }
    return found
  })

/** Browser messages about handlers and base URLs during parsing, in a document that runs nothing. */
const ofParsing = /^(Executing inline event handler|Setting the document's base URI)/

test.each([
  { where: "under the app's policy", path: '/' },
  { where: 'without any policy', path: '/open/' },
])(
  'sends no requests and runs no scripts for a hostile streaming answer, $where',
  async ({ path }) => {
    await page.goto(`${harness.origin}${path}`)
    await page.waitForFunction(() => Reflect.has(window, 'show'))
    requests.length = 0
    for (const { name, content } of [...hostileMarkdown(trapUrl), ...hostileAnswers(trapUrl)]) {
      await stream(content.slice(0, 60_000), content.length > 5000 ? 3 : 8)
      await touch()
      expect([name, await strange()]).toEqual([name, []])
    }
    await page.waitForTimeout(2000)
    expect([await strange(), hits, trouble.strangers]).toEqual([[], [], []])
    expect(trouble.errors.filter((error) => !ofParsing.test(error))).toEqual([])
    expect(requests.filter((one) => !/^(\/open)?\/assets\/[\w.-]+$/.test(one))).toEqual([])
    expect(await page.evaluate(() => Reflect.get(window, '__ran') as unknown)).toBeUndefined()
    expect(await page.evaluate(() => location.pathname)).toBe(path)
  },
)

test('renders a streamed answer exactly like the complete answer', async () => {
  await page.goto(harness.origin)
  await page.waitForFunction(() => Reflect.has(window, 'show'))
  const rendered = async (text: string, chunkCount: number): Promise<string> => {
    await stream(text, chunkCount)
    return page.evaluate(() => {
      const all = document.querySelector('.md-answer')?.cloneNode(true)
      if (!(all instanceof HTMLElement)) return ''
      // Formulas and colors are added when idle.
      for (const one of all.querySelectorAll('.md-formula')) {
        one.replaceChildren()
        one.removeAttribute('data-tex')
      }
      for (const one of all.querySelectorAll('code')) one.replaceChildren(one.textContent)
      return [...all.querySelectorAll('.md')].map(({ outerHTML }) => outerHTML).join('\n')
    })
  }
  for (const { name, text } of longTexts) {
    const once = await rendered(text, 1)
    expect([name, once.length > 100]).toEqual([name, true])
    expect([name, await rendered(text, 25)]).toEqual([name, once])
  }
})

test('renders citations with a source as named buttons, and never shows partial markup', async () => {
  await page.goto(harness.origin)
  await page.waitForFunction(() => Reflect.has(window, 'show'))
  const text =
    'One<reference data-ref="1"></reference>, two<reference data-ref="12"/>, three<reference data-ref="3"></reference>, four<reference data-ref="4"></reference>, none<reference data-ref="0"/>.'
  const seen: string[] = []
  for (let end = 1; end <= text.length; end++) {
    await page.evaluate(
      ([part]) => {
        const show: unknown = Reflect.get(window, 'show')
        if (typeof show === 'function') show(part, true, 50)
      },
      [text.slice(0, end)] as const,
    )
    seen.push((await page.textContent('.md-answer')) ?? '')
  }
  expect(seen.filter((one) => /<|ref/.test(one))).toEqual([])
  await stream(text, 1)
  const chips = await page.evaluate(() =>
    [...document.querySelectorAll('.md-cite')].map((one) => [
      one.localName,
      one.textContent,
      one.getAttribute('aria-label'),
    ]),
  )
  expect(chips).toEqual([
    ['button', '1', 'Source 1'],
    ['button', '2', 'Source 2'],
    ['button', '3', 'Source 3'],
    ['span', '4', null],
    ['button', '5', 'Source 5'],
  ])
})

test('colors code and renders a diagram as an image without policy violations', async () => {
  await page.goto(harness.origin)
  await page.waitForFunction(() => Reflect.has(window, 'show'))
  await stream(
    '```ts\nconst a = 1 // one\n```\n\n```mermaid\ngraph TD\n  A --> B\n```\n\n$x^2$\n',
    3,
  )
  await page.waitForSelector('.tk-keyword')
  await page.waitForSelector('img.md-diagram')
  await page.waitForFunction(
    () => (document.querySelector<HTMLImageElement>('img.md-diagram')?.naturalWidth ?? 0) > 0,
  )
  await page.waitForSelector('.katex')
  expect(await page.textContent('.md-code code')).toBe('const a = 1 // one\n')
  expect(trouble.violations.filter((one) => !/^(script-src|base-uri)/.test(one))).toEqual([])
})

test('exports a finished answer sanitized: numbered citations, formulas, only valid links', async () => {
  await page.goto(harness.origin)
  await page.waitForFunction(() => Reflect.has(window, 'finished'))
  const html = await page.evaluate(
    ([text]) => {
      const way: unknown = Reflect.get(window, 'finished')
      return typeof way === 'function' ? String(way(text)) : ''
    },
    [
      `**a**<reference data-ref="2"></reference> $x^2$ [l](https://example.com/) [j](javascript:x) ![p](${trapUrl}/p.png) <b onclick="x">b</b>\n\n\`\`\`js\n1 < 2\n\`\`\``,
    ] as const,
  )
  expect(html).toContain('<strong>a</strong>[1]')
  expect(html).toContain('<annotation encoding="application/x-tex">x^2</annotation>')
  expect(html).toContain('<a href="https://example.com/">l</a> [j](javascript:x) p <b>b</b>')
  expect(html).not.toContain('katex-html')
  expect(html).toContain('<code class="language-js">1 &lt; 2\n</code>')
  expect(hits).toEqual([])
})
