import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { WebSocket } from 'ws'
import { writeLaunchFile } from '../../src/main/hosts/loopback/launch-file.ts'
import { openBrowser, type Browser } from '../fixtures/chromium.ts'
import { resolveLocalhostNames } from '../fixtures/localhost-names.ts'
import { startHost, type HostProcess } from '../fixtures/host-process.ts'

let home: string
let host: HostProcess
let browser: Browser
let thief: Server
const stolen: string[] = []

beforeAll(async () => {
  resolveLocalhostNames()
  home = await mkdtemp(join(tmpdir(), 'lectern-e2e-entry-'))
  host = await startHost(home)
  browser = await openBrowser()
  // Another program on this computer, on another port.
  thief = createServer((request, response) => {
    if (request.headers.cookie) stolen.push(request.headers.cookie)
    response.setHeader('content-type', 'text/html')
    response.end('<p>hello</p>')
  })
  await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve))
}, 40_000)
afterAll(async () => {
  await browser.close()
  await host.stop()
  thief.close()
  await rm(home, { recursive: true, force: true })
})

const origin = (): string => new URL(host.launchUrl).origin
const signedOut = 'This tab isn’t signed in to Lectern'

/** Resolves when main has replied over the page's socket. */
async function answered(page: Page, go: () => Promise<unknown>): Promise<void> {
  const socket = page
    .waitForEvent('websocket')
    .then((opened) => opened.waitForEvent('framereceived'))
  await go()
  await socket
}

test('signs in by the launch file, removes the key from the URL, and stays signed in after a reload', async () => {
  const page = await browser.page()
  const file = pathToFileURL(writeLaunchFile(home, host.launchUrl)).href
  await answered(page, () => page.goto(file))
  await page.waitForURL((url) => url.hash.startsWith('#/'))
  expect(page.url()).not.toContain('k=')
  await answered(page, () => page.reload())
  expect(page.url()).not.toContain('k=')
  expect(await page.locator('body').innerText()).not.toContain(signedOut)
}, 30_000)

test('explains how to sign in to a manually opened tab, and does not retry', async () => {
  const page = await browser.page()
  const sockets: string[] = []
  page.on('websocket', (socket) => void sockets.push(socket.url()))
  await page.goto(`${origin()}/`)
  await page.getByText(signedOut).waitFor()
  expect(sockets).toEqual([])
}, 30_000)

test('sends no cookie to another port, and rejects one from our name at bridge and intake', async () => {
  const page = await browser.page()
  const { port } = thief.address() as AddressInfo
  await page.goto(`http://127.0.0.1:${port}/`)
  expect(stolen).toEqual([])
  await page.goto(`http://${new URL(origin()).hostname}:${port}/`)
  expect(stolen.length).toBeGreaterThan(0)
  const headers = { cookie: stolen[0] ?? '', origin: origin() }
  // The cookie is valid: it still shows the page.
  expect((await fetch(`${origin()}/`, { headers })).status).toBe(200)
  const put = await fetch(`${origin()}/intake`, { method: 'PUT', headers, body: 'x' })
  expect(put.status).toBe(401)
  const socket = new WebSocket(`${origin().replace('http', 'ws')}/bridge`, ['lectern'], { headers })
  const status = await new Promise<number | undefined>((resolve) => {
    socket.once('open', () => resolve(101))
    socket.once('unexpected-response', (_request, reply) => resolve(reply.statusCode))
    socket.once('error', () => {})
  })
  expect(status).toBe(401)
}, 30_000)
