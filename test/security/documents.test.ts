import { setTimeout as pause } from 'node:timers/promises'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { createCanvas } from '@napi-rs/canvas'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { memoryKeychain, testApp, type TestApp } from '../fixtures/app.ts'
import { eventually } from '../fixtures/eventually.ts'
import { startScriptedServer, type ScriptedServer } from '../fixtures/scripted-server.ts'
import { layoutOf } from '../main/domains/documents/service/document-setup.ts'
import { tinyPng } from '../main/domains/documents/service/paper.ts'

// Attacks with documents: content printed in them, or inserted in a response about them, must not make Lectern send requests.

/**
 * An address of the public network. All outgoing connections of the tests use a proxy, and its tunnels lead to `outside`.
 */
const host = '93.184.216.34'
const printed = `http://${host}/printed.png`
const options = { pages: '', crops: true, layoutPictures: true } as const
const imageReply = { headers: { 'content-type': 'image/png' }, body: tinyPng }

let outside: ScriptedServer
let proxy: ScriptedServer
let service: ScriptedServer
let lectern: TestApp

beforeEach(async () => {
  ;[outside, service] = await Promise.all([startScriptedServer(), startScriptedServer()])
  outside.always(imageReply)
  proxy = await startScriptedServer({ connect: { tunnelTo: Number(new URL(outside.url).port) } })
  lectern = await testApp({ keychain: memoryKeychain(), proxyFor: async () => proxy.url })
})
afterEach(async () => {
  await lectern.remove()
  await Promise.all([outside.close(), proxy.close(), service.close()])
})

/** Returns a page with the URLs printed on it, and an image of its own. */
async function page(): Promise<Uint8Array> {
  const made = await PDFDocument.create()
  const font = await made.embedFont(StandardFonts.Helvetica)
  const canvas = createCanvas(320, 200)
  const context = canvas.getContext('2d')
  for (let x = 0; x < 320; x += 4) {
    context.fillStyle = `rgb(${x % 255}, ${(x * 7) % 255}, ${(x * 3) % 255})`
    context.fillRect(x, 0, 4, 200)
  }
  const sheet = made.addPage([595, 842])
  const lines = ['A report of the year', `![](${printed})`, `<img src="http://${host}/tag.png">`]
  for (const [at, line] of lines.entries())
    sheet.drawText(line, { x: 60, y: 760 - at * 40, size: 14, font })
  sheet.drawImage(await made.embedPng(canvas.toBuffer('image/png')), { x: 60, y: 200 })
  return made.save()
}

/** Parses the page and waits for anything the response may trigger automatically. */
async function parsed(): Promise<string> {
  const saved = await lectern.intake('Report.pdf', await page())
  if (!saved.ok) throw new Error(saved.error.message)
  const { document } = await lectern.call('documents.create', { mediaId: saved.data.media.id })
  await lectern.call('documents.parse', { id: document.id, options, fresh: false })
  await eventually(async () => {
    const now = (await lectern.call('documents.get', { id: document.id })).document.versions[0]
    expect(now?.state).toBe('done')
  })
  return document.id
}

const imagesOf = async (id: string): Promise<Readonly<Record<string, string>>> =>
  (await lectern.call('documents.pages', { id, first: 1, last: 1 })).images ?? {}

/** Returns whether a request is for an image. */
const isImage = ({ url }: { readonly url: string }): boolean => /\.(?:png|jpg)$/.test(url)

const fetchedFrom = ({ requests }: ScriptedServer): readonly string[] =>
  requests.filter(isImage).map(({ url }) => url)

test('sends no request for an on-device parsed document until an image is requested', async () => {
  const id = await parsed()
  const { blocks } = await lectern.call('documents.pages', { id, first: 1, last: 1 })
  expect(blocks.map(({ content }) => content).join(' ')).toContain(printed)
  // The image cut out by the local service itself is loaded automatically.
  await eventually(async () => expect(Object.keys(await imagesOf(id)).length).toBeGreaterThan(0))
  await pause(500)
  expect(proxy.connections()).toBe(0)
  for (const address of Object.keys(await imagesOf(id)))
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:/)

  const { mediaId } = await lectern.call('documents.loadImage', { id, address: printed })
  expect((await imagesOf(id))[printed]).toBe(mediaId)
  expect(proxy.requests.map(({ url }) => url)).toEqual([`${host}:80`])
  expect(fetchedFrom(outside)).toEqual(['/printed.png'])
})

test('automatically fetches only images that the provider serves from its own host', async () => {
  const block = (index: number, label: string, content: string) => ({
    index,
    label,
    native_label: label,
    content,
    width: 1200,
    height: 1600,
    bbox_2d: [100, 200 + index * 100, 900, 280 + index * 100],
  })
  service.always((request) => {
    if (isImage(request)) return imageReply
    if (request.method !== 'POST') return { status: 404, body: '{}' }
    const reply = layoutOf({ first: 1, last: 1, password: null, raster: false, bytes: 0 })
    const layout = JSON.parse(String(reply.body)) as Record<string, unknown>
    layout['layout_details'] = [
      [
        block(0, 'text', `![](${service.url}/in-text.png) ![](${printed})`),
        block(1, 'table', `<table><tr><td><img src="http://${host}/cell.png"></td></tr></table>`),
        block(2, 'image', `http://${host}/figure.png`),
        block(3, 'image', `![](${service.url}/figure-in-text.png)`),
        block(4, 'image', `${service.url}/figure.png`),
      ],
    ]
    layout['layout_visualization'] = [`http://${host}/layout.jpg`]
    return { ...reply, body: JSON.stringify(layout) }
  })
  const account = await lectern.call('accounts.create', {
    preset: 'custom',
    name: 'Service',
    baseUrl: `${service.url}/api`,
  })
  await lectern.call('accounts.setKey', { id: account.id, key: 'a-key-for-this-service-0123' })
  await lectern.call('accounts.activate', { id: account.id })
  const id = await parsed()
  await eventually(async () =>
    expect(Object.keys(await imagesOf(id))).toEqual([`${service.url}/figure.png`]),
  )
  await pause(500)
  expect(fetchedFrom(service)).toEqual(['/figure.png'])
  expect(proxy.connections()).toBe(0)

  for (const address of [`${service.url}/in-text.png`, `http://${host}/cell.png`])
    await lectern.call('documents.loadImage', { id, address })
  expect(fetchedFrom(service)).toEqual(['/figure.png', '/in-text.png'])
  expect(fetchedFrom(outside)).toEqual(['/cell.png'])
  for (const { headers } of [...service.requests.filter(isImage), ...outside.requests])
    expect(headers['authorization']).toBeUndefined()
})

test('tries a requested image once, and only if a response of the document references it', async () => {
  const id = await parsed()
  outside.always({ status: 503 })
  const load = (address: string) => lectern.raw('documents.loadImage', { id, address })
  expect(await load(`http://${host}/elsewhere.png`)).toMatchObject({
    ok: false,
    error: { code: 'NOT_FOUND' },
  })
  expect(await load(printed)).toMatchObject({ ok: false, error: { code: 'SERVICE_FAILED' } })
  await pause(500)
  expect(fetchedFrom(outside)).toEqual(['/printed.png'])
  outside.always(imageReply)
  expect(await load(printed)).toMatchObject({ ok: true })
})
