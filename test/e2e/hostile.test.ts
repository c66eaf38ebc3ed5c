import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveLocalhostNames } from '../fixtures/localhost-names.ts'
import { openLectern, type Lectern } from './lectern.ts'

let lectern: Lectern
let trap: Server
let hits: string[]

beforeAll(async () => {
  resolveLocalhostNames()
  hits = []
  trap = createServer((request, response) => {
    hits.push(`${request.method} ${request.url}`)
    response.writeHead(200, { 'access-control-allow-origin': '*' })
    response.end('trapped')
  })
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
  lectern = await openLectern()
})
afterAll(async () => {
  await lectern.close()
  const closed = new Promise((resolve) => trap.close(resolve))
  trap.closeAllConnections()
  await closed
})

/** Every external request that markup alone can make, and those of a script. */
const markup = (url: string): string => `
  <img src="${url}/img" onerror="window.__ran = 'onerror'">
  <svg><image href="${url}/svg-image" /><script>window.__ran = 'svg script'</script></svg>
  <style>@import url('${url}/import.css'); .x { background: url('${url}/background') }</style>
  <div class="x" style="background-image: url('${url}/inline-background')">x</div>
  <iframe src="${url}/frame"></iframe>
  <iframe srcdoc="<img src='${url}/srcdoc'><script>parent.__ran='srcdoc'</script>"></iframe>
  <video src="${url}/video" poster="${url}/poster" autoplay></video>
  <audio src="${url}/audio" autoplay></audio>
  <object data="${url}/object"></object><embed src="${url}/embed">
  <link rel="stylesheet" href="${url}/style.css"><link rel="prefetch" href="${url}/prefetch">
  <link rel="preload" as="image" href="${url}/preload"><link rel="icon" href="${url}/icon">
  <form action="${url}/form" id="hostile-form"><input name="q" value="secret"></form>
  <meta http-equiv="refresh" content="0;url=${url}/refresh">
  <base href="${url}/">
  <a id="hostile-link" href="javascript:window.__ran='link'" ping="${url}/ping">x</a>`

test('sends no request and runs no script for hostile markup in the page', async () => {
  const { page, trouble } = lectern
  const url = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`
  await page.evaluate((html) => {
    const host = document.createElement('div')
    document.body.append(host)
    host.innerHTML = html
    document.querySelector<HTMLFormElement>('#hostile-form')?.submit()
    document.querySelector<HTMLAnchorElement>('#hostile-link')?.click()
  }, markup(url))
  await page.waitForTimeout(1500)
  expect(hits).toEqual([])
  expect(await page.evaluate(() => Reflect.get(window, '__ran') as unknown)).toBeUndefined()
  // The browser blocked each of them by the policy: it was not a coincidence.
  expect(trouble.violations.length).toBeGreaterThan(8)
})

test('blocks external requests of a script that runs in the page', async () => {
  const url = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`
  const outcome = await lectern.page.evaluate(async (target) => {
    const ways: Record<string, () => unknown> = {
      fetch: () => fetch(`${target}/fetch`),
      beacon: () => {
        if (!navigator.sendBeacon(`${target}/beacon`, 'x')) throw new Error('refused')
      },
      eventSource: () =>
        new Promise((_, reject) => {
          new EventSource(`${target}/events`).addEventListener('error', () =>
            reject(new Error('refused')),
          )
        }),
      socket: () =>
        new Promise((_, reject) => {
          new WebSocket(target.replace('http', 'ws')).addEventListener('error', () =>
            reject(new Error('refused')),
          )
        }),
      eval: () => new Function('return 1')(),
      worker: () =>
        new Promise((_, reject) => {
          const worker = new Worker(URL.createObjectURL(new Blob(['1'])))
          worker.addEventListener('error', () => reject(new Error('refused')))
        }),
    }
    const refused: string[] = []
    for (const [name, way] of Object.entries(ways)) {
      try {
        await way()
      } catch {
        refused.push(name)
      }
    }
    return refused
  }, url)
  await lectern.page.waitForTimeout(300)
  expect(hits).toEqual([])
  expect(outcome).toEqual(
    expect.arrayContaining(['fetch', 'eventSource', 'socket', 'eval', 'worker']),
  )
})

test('sends the policy, which names no remote host, with every response', async () => {
  const { page } = lectern
  /** Returns the headers as the browser receives them: a page cannot read those of another origin. */
  const headersOf = async (path: string): Promise<Record<string, string>> => {
    const url = new URL(path, page.url()).href
    const [response] = await Promise.all([
      page.waitForResponse((one) => one.url() === url),
      page.evaluate((address) => fetch(address).then(() => undefined), url),
    ])
    return response.allHeaders()
  }
  const policy = (await headersOf('/'))['content-security-policy'] ?? ''
  expect(policy).toContain("default-src 'none'")
  const others = policy.replaceAll(new URL(lectern.mediaBase).origin, '')
  expect(others).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/)
  for (const path of ['/', '/nothing-here', `${lectern.mediaBase}none`, '/assets/none.js']) {
    const headers = await headersOf(path)
    expect(headers['content-security-policy'], path).toBeTruthy()
    expect(headers['x-content-type-options'], path).toBe('nosniff')
  }
})
