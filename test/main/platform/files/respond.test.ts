import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MediaFiles } from '../../../../src/main/platform/files/files.ts'
import { parseRange } from '../../../../src/main/platform/files/range.ts'
import type { Store } from '../../../../src/main/library-database/store.ts'
import type { Media } from '../../../../src/shared/model/library.ts'
import { temporaryHome } from '../database/fixture.ts'
import { noise, openLibrary, streamOf, wave } from './fixture.ts'

const folder = temporaryHome()
const audio = wave(1_000_003)
let store: Store
let files: MediaFiles
let media: Media

beforeAll(async () => {
  ;({ store, files } = await openLibrary(folder.home))
  media = await files.intake(streamOf([audio]).stream, 'Gespräch „eins“; 100%.wav')
})

afterAll(async () => {
  await store.close()
  folder.remove()
})

const ask = (headers: Record<string, string> = {}, id = media.id, method = 'GET') =>
  files.respond(new Request(`http://127.0.0.1/media/${id}`, { method, headers }), id)

test.each([
  [null, { kind: 'whole' }],
  ['bytes=0-0', { kind: 'part', start: 0, end: 0 }],
  ['bytes=0-99', { kind: 'part', start: 0, end: 99 }],
  ['bytes=10-', { kind: 'part', start: 10, end: 99 }],
  ['bytes=10-20', { kind: 'part', start: 10, end: 20 }],
  ['bytes=10-2000', { kind: 'part', start: 10, end: 99 }],
  ['bytes=-1', { kind: 'part', start: 99, end: 99 }],
  ['bytes=-500', { kind: 'part', start: 0, end: 99 }],
  ['Bytes = 5 - 6', { kind: 'part', start: 5, end: 6 }],
  ['bytes=100-', { kind: 'unsatisfiable' }],
  ['bytes=100-200', { kind: 'unsatisfiable' }],
  ['bytes=-0', { kind: 'unsatisfiable' }],
  ['bytes=20-10', { kind: 'whole' }],
  ['bytes=-', { kind: 'whole' }],
  ['bytes=a-b', { kind: 'whole' }],
  ['items=0-5', { kind: 'whole' }],
  ['bytes=0-1,5-6', { kind: 'whole' }],
  ['bytes=99999999999999999999-', { kind: 'unsatisfiable' }],
])('Range %j of a hundred bytes', (header, expected) => {
  expect(parseRange(header, 100)).toEqual(expected)
})

test('an empty file has no valid range', () => {
  expect(parseRange('bytes=0-', 0)).toEqual({ kind: 'unsatisfiable' })
  expect(parseRange('bytes=-5', 0)).toEqual({ kind: 'unsatisfiable' })
})

test('serves the whole file with its exact type and length', async () => {
  const response = await ask()
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'audio/wav',
    'content-length': '1000003',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    etag: `"${media.id}"`,
  })
  expect(Buffer.from(await response.arrayBuffer()).equals(audio)).toBe(true)
})

test('quotes, semicolons, percent signs and umlauts in its name cannot break the header', async () => {
  const header = (await ask({}, media.id, 'HEAD')).headers.get('content-disposition') ?? ''
  expect(header).toBe(
    `inline; filename="Gespr_ch _eins__ 100_.wav"; filename*=UTF-8''Gespr%C3%A4ch%20%E2%80%9Eeins%E2%80%9C%3B%20100%25.wav`,
  )
})

test.each([
  ['bytes=0-0', 0, 0],
  ['bytes=1000000-', 1_000_000, 1_000_002],
  ['bytes=-7', 999_996, 1_000_002],
  ['bytes=262143-262145', 262_143, 262_145],
  ['bytes=5-700000', 5, 700_000],
])('returns 206 for %s with exactly those bytes', async (range, start, end) => {
  const response = await ask({ range })
  expect(response.status).toBe(206)
  expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/1000003`)
  expect(response.headers.get('content-length')).toBe(String(end - start + 1))
  expect(Buffer.from(await response.arrayBuffer()).equals(audio.subarray(start, end + 1))).toBe(
    true,
  )
})

test('returns 416 beyond the end, with the length in Content-Range and no body', async () => {
  const response = await ask({ range: 'bytes=1000003-' })
  expect(response.status).toBe(416)
  expect(response.headers.get('content-range')).toBe('bytes */1000003')
  expect(await response.text()).toBe('')
})

test('If-Range with the current ETag keeps the range; any other returns the whole file', async () => {
  const range = 'bytes=0-9'
  expect((await ask({ range, 'if-range': `"${media.id}"` })).status).toBe(206)
  expect((await ask({ range, 'if-range': '"other"' })).status).toBe(200)
  expect((await ask({ range, 'if-range': 'Sat, 01 Jan 2026 00:00:00 GMT' })).status).toBe(200)
})

test('HEAD has the headers of GET and no body; refuses other methods', async () => {
  const head = await ask({ range: 'bytes=0-9' }, media.id, 'HEAD')
  expect(head.status).toBe(206)
  expect(head.headers.get('content-length')).toBe('10')
  expect(await head.text()).toBe('')
  expect((await ask({}, media.id, 'POST')).status).toBe(405)
})

test('serves anything but audio and images as a download that cannot run', async () => {
  const html = new TextEncoder().encode('<!doctype html><script>alert(1)</script>')
  const page = await files.intake(streamOf([html]).stream, 'page.html')
  const response = await ask({}, page.id)
  expect(response.headers.get('content-type')).toBe('application/octet-stream')
  expect(response.headers.get('content-disposition')).toMatch(/^attachment/)
  expect(response.headers.get('content-security-policy')).toContain('sandbox')
  expect(await response.text()).toContain('alert')
})

test('a file missing on disk is 404 FILE_MISSING', async () => {
  const lost = await files.intake(streamOf([noise(100, 5)]).stream, 'lost')
  rmSync(await files.path(lost.id))
  const response = await ask({}, lost.id)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ ok: false, error: { code: 'FILE_MISSING' } })
})

test('reads the file with backpressure, and closes it when the client disconnects', async () => {
  const { readdirSync, readlinkSync } = await import('node:fs')
  const path = await files.path(media.id)
  const isOpen = (): boolean =>
    readdirSync('/proc/self/fd').some((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === path
      } catch {
        return false
      }
    })
  const onLinux = process.platform === 'linux'
  const cancelled = (await ask()).body?.getReader()
  const first = await cancelled?.read()
  expect(first?.value?.length).toBe(256 * 1024)
  if (onLinux) expect(isOpen()).toBe(true)
  await cancelled?.cancel()
  const abort = new AbortController()
  const aborted = await files.respond(
    new Request('http://127.0.0.1/', { signal: abort.signal }),
    media.id,
  )
  await aborted.body?.getReader().read()
  abort.abort()
  if (onLinux) await expect.poll(isOpen).toBe(false)
})
