import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { documentHandlers } from '../../../../../src/main/domains/documents/routes.ts'
import type { DocumentReader } from '../../../../../src/main/domains/documents/service/reader.ts'
import { AppError } from '../../../../../src/main/errors.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import { documentSetup, layoutOf, withImage, type DocumentSetup } from './document-setup.ts'
import { tinyPng } from './paper.ts'

const all = { pages: '', crops: false, layoutPictures: false } as const

const widths = (setup: DocumentSetup, id: string, width: number): readonly number[] =>
  setup.store.documents.pageImages(id, { first: 1, last: 1000, width }).map(({ page }) => page)

test('draws pages for the strip automatically, and parsed ones for use without the original', async () => {
  const setup = await documentSetup()
  const id = await setup.document(5)
  await eventually(() => expect(widths(setup, id, 160)).toEqual([1, 2, 3, 4, 5]))
  expect(widths(setup, id, 1240)).toEqual([])
  const version = setup.documents.parse({ id, options: { ...all, pages: '2-3' } })
  await setup.finish(version.id)
  // While parts are running, they have the worker for a moment.
  await eventually(async () => {
    while (setup.timers.length > 0) await setup.tick()
    expect(widths(setup, id, 1240)).toEqual([2, 3])
  })
  const drawn = setup.worker.requests.filter((one) => one.startsWith('picture'))
  expect(new Set(drawn).size).toBe(drawn.length)
  const media = await setup.documents.image({ id, page: 3, width: 1240 })
  expect(media.mime).toBe('image/jpeg')
  expect((await readFile(await setup.files.path(media.id))).toString('latin1')).toContain(
    'page 3 at 1240',
  )
  // The page read last is shown before the file is opened.
  const opened = (page: number): unknown => {
    const reader = { place: () => ({ page }) } as unknown as DocumentReader
    const routes = documentHandlers(setup.documents, reader, {} as never, {} as never)
    return routes['documents.get']({ id }, {} as never)
  }
  expect(opened(3)).toMatchObject({ place: { page: 3 }, preview: media.id })
  expect(opened(4)).toMatchObject({ preview: null })
  setup.store.documents.setOriginal(id, null)
  expect((await setup.documents.image({ id, page: 3, width: 1240 })).id).toBe(media.id)
  await expect(setup.documents.image({ id, page: 4, width: 1240 })).rejects.toThrowError(
    expect.objectContaining({ code: 'FILE_MISSING' }),
  )
})

test('a page that cannot be drawn does not block others', async () => {
  const setup = await documentSetup()
  const mediaId = await setup.paper({ last: 4 })
  const { document } = await setup.documents.create({ mediaId })
  setup.worker.trouble = new AppError('DAMAGED_FILE', 'no')
  await eventually(() => expect(widths(setup, document.id, 160).length).toBeGreaterThanOrEqual(3))
  expect(
    setup.log.lines.filter((line) => line.startsWith('failed to render a page image')),
  ).toEqual([])
})

test('crops a block from its page with a small margin', async () => {
  const setup = await documentSetup()
  const id = await setup.document(2)
  const version = setup.documents.parse({ id, options: all })
  await setup.finish(version.id)
  const [title] = setup.documents.pages({ id, first: 2, last: 2 }).blocks
  const bytes = await setup.documents.crop({ id, blockId: title?.id ?? '', margin: 0.01 })
  expect(Buffer.from(bytes).equals(tinyPng)).toBe(true)
  expect(setup.worker.requests).toContain('crop 2 0.073 0.021 0.760 0.085')
})

test('fetches images hosted by the provider once, into the library', async () => {
  const setup = await documentSetup()
  const address = `${setup.server.url}/a/figure-1.png?sign=abc`
  const requestedUrls: string[] = []
  let tries = 0
  setup.remote = {
    resolve: async () => [{ address: '93.184.216.34', family: 4 }],
    async get(url) {
      requestedUrls.push(url)
      tries += 1
      if (tries === 1) return { status: 503, headers: new Headers(), body: null }
      return {
        status: 200,
        headers: new Headers({ 'content-type': 'image/png' }),
        body: new Blob([tinyPng]).stream(),
      }
    },
  }
  setup.answer = (one) => withImage(layoutOf(one), address)
  const id = await setup.document(2)
  const version = setup.documents.parse({ id, options: { ...all, crops: true } })
  await setup.finish(version.id)
  await eventually(() => expect(setup.documents.busy()).toBe(false))
  expect(setup.store.documents.remoteImages(id)[0]).toMatchObject({
    address,
    mediaId: null,
    error: { code: 'SERVICE_FAILED' },
  })
  while (setup.timers.length > 0 && tries < 2) await setup.tick()
  await eventually(() =>
    expect(setup.store.documents.remoteImages(id)[0]?.mediaId).toEqual(expect.any(String)),
  )
  expect(requestedUrls).toEqual([address, address])
  const { mediaId } = setup.store.documents.remoteImages(id)[0] ?? {}
  expect(setup.store.media.get(mediaId ?? '')).toMatchObject({ mime: 'image/png' })
  const shown = setup.documents.pages({ id, first: 1, last: 2 })
  expect(shown.images).toEqual({ [address]: mediaId })
})

test('does not fetch images at private addresses or files that are not images', async () => {
  const setup = await documentSetup()
  const requestedUrls: string[] = []
  setup.remote = {
    resolve: async () => [{ address: '93.184.216.34', family: 4 }],
    async get(url) {
      requestedUrls.push(url)
      return {
        status: 200,
        headers: new Headers({ 'content-type': 'text/html' }),
        body: new Blob(['<html>']).stream(),
      }
    },
  }
  const inside = 'http://192.168.1.1/router.png'
  const page = 'https://pictures.example/page.png'
  setup.answer = (one) => withImage(withImage(layoutOf(one), inside), page)
  const id = await setup.document(2)
  const version = setup.documents.parse({ id, options: { ...all, crops: true } })
  await setup.finish(version.id)
  expect(requestedUrls).toEqual([])
  for (const address of [inside, page])
    await expect(setup.documents.loadImage({ id, address })).rejects.toThrowError(
      expect.objectContaining({ code: 'REFUSED' }),
    )
  const images = setup.store.documents.remoteImages(id)
  expect(images.map(({ error }) => error?.code)).toEqual(['REFUSED', 'REFUSED'])
  expect(images.map(({ nextTryAt }) => nextTryAt)).toEqual([null, null])
  expect(requestedUrls).toEqual([page])
})

test('does not save an image that expands to gigabytes in the window, whoever sent it', async () => {
  const setup = await documentSetup()
  const bomb = Buffer.from(tinyPng)
  bomb.writeUInt32BE(30_000, 16)
  bomb.writeUInt32BE(30_000, 20)
  setup.remote = {
    resolve: async () => [{ address: '93.184.216.34', family: 4 }],
    get: async () => ({
      status: 200,
      headers: new Headers({ 'content-type': 'image/png' }),
      body: new Blob([bomb]).stream(),
    }),
  }
  const address = 'https://pictures.example/bomb.png'
  setup.answer = (one) => withImage(layoutOf(one), address)
  const id = await setup.document(1)
  const version = setup.documents.parse({ id, options: { ...all, crops: true } })
  await setup.finish(version.id)
  await expect(setup.documents.loadImage({ id, address })).rejects.toThrowError(
    expect.objectContaining({
      code: 'LIMIT_EXCEEDED',
      params: expect.objectContaining({ what: 'pixels' }),
    }),
  )
  expect(setup.store.documents.remoteImages(id)[0]?.mediaId).toBeNull()
})

test('ignores the failure of an image whose document was deleted permanently meanwhile', async () => {
  const { documents } = (await documentSetup()).store
  const error = { code: 'OFFLINE', message: '', retriable: true, at: 1 } as const
  documents.failRemote('deleted', 'https://files.example.org/a.png', error, null)
  expect(documents.remoteWaiting(Number.MAX_SAFE_INTEGER, 1)).toEqual([])
})

test('fetches an image of the provider itself although its address is private', async () => {
  const setup = await documentSetup()
  const requestedUrls: string[] = []
  setup.remote = {
    resolve: async (host) => [{ address: host, family: 4 }],
    async get(url) {
      requestedUrls.push(url)
      return {
        status: 200,
        headers: new Headers({ 'content-type': 'image/png' }),
        body: new Blob([tinyPng]).stream(),
      }
    },
  }
  const own = `${setup.server.url}/media/figure.png`
  setup.answer = (one) => withImage(layoutOf(one), own)
  const id = await setup.document(1)
  const version = setup.documents.parse({ id, options: { ...all, crops: true } })
  await setup.finish(version.id)
  await eventually(() =>
    expect(setup.store.documents.remoteImages(id)[0]?.mediaId).toEqual(expect.any(String)),
  )
  expect(requestedUrls).toEqual([own])
})

test('converts an image of another format, which becomes a document of one page', async () => {
  const setup = await documentSetup()
  const webp = Buffer.from(
    'RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0',
    'latin1',
  )
  const media = await setup.files.intake(new Blob([webp]).stream(), 'Photo.webp', webp.length)
  setup.worker.facts = async (path) => ({
    mime: 'image/png',
    bytes: (await readFile(path)).length,
    pages: 1,
    sizes: [{ width: 1, height: 1 }],
    locked: 'no',
    textChars: [0],
  })
  const { document } = await setup.documents.create({ mediaId: media.id })
  expect(setup.worker.requests).toContain('convert')
  expect(document).toMatchObject({ title: 'Photo', name: 'Photo.webp', facts: { pages: 1 } })
  expect(document.mediaId).not.toBe(media.id)
  expect(setup.store.media.get(document.mediaId ?? '')?.mime).toBe('image/png')
})
