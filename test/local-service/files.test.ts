import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { fileBytes } from '../../src/local-service/file-bytes.ts'
import { failureOf, startTestService } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ faults: true })
})
afterAll(() => service.stop())

const path = '/paas/v4/files'

const upload = (bytes: Uint8Array, name: string, purpose: string | null): Promise<Response> => {
  const body = new FormData()
  body.append('file', new Blob([Uint8Array.from(bytes)]), name)
  if (purpose !== null) body.append('purpose', purpose)
  return service.call(path, { method: 'POST', body })
}

interface Stored {
  id: string
  filename: string
}

const stored = async (response: Response): Promise<Stored> => (await response.json()) as Stored

const list = async (query: string): Promise<{ data: Stored[]; has_more: boolean }> =>
  (await (await service.call(`${path}?${query}`)).json()) as { data: Stored[]; has_more: boolean }

afterEach(async () => {
  for (const { id } of (await list('purpose=voice-clone-input&limit=100')).data)
    await service.call(`${path}/${id}`, { method: 'DELETE' })
})

test('stores, lists, returns and deletes a whole upload', async () => {
  const bytes = Buffer.from('ID3 some sound 声音')
  const response = await upload(bytes, '我的声音.mp3', 'voice-clone-input')
  const body = await stored(response)
  expect(body).toMatchObject({
    object: 'file',
    bytes: bytes.length,
    filename: '我的声音.mp3',
    purpose: 'voice-clone-input',
  })
  expect((await list('purpose=voice-clone-input')).data).toMatchObject([{ id: body.id }])
  const content = await service.call(`${path}/${body.id}/content`)
  expect(Buffer.from(await content.arrayBuffer())).toEqual(bytes)
  const gone = await service.call(`${path}/${body.id}`, { method: 'DELETE' })
  expect(await gone.json()).toMatchObject({ id: body.id, object: 'file', deleted: true })
  const again = await service.call(`${path}/${body.id}`, { method: 'DELETE' })
  expect(await failureOf(again)).toBe('400 1214')
  expect(await readdir(join(service.home, 'files'))).toEqual([])
})

test('returns content with its engine and length, in chunks', async () => {
  const bytes = Buffer.alloc(3 * 1024 * 1024, 'sound')
  const { id } = await stored(await upload(bytes, 'long.wav', 'voice-clone-input'))
  const response = await service.call(`${path}/${id}/content`)
  expect(response.headers.get('content-length')).toBe(String(bytes.length))
  expect(response.headers.get('x-engine')).toBe('files on this computer')
  const file = await fileBytes(join(service.home, 'files', `${id}.bin`))
  if (!file) throw new Error('There is no such file')
  let chunkCount = 0
  for await (const chunk of file.bytes) {
    expect(chunk.length).toBeLessThan(200_000)
    chunkCount += 1
  }
  expect(chunkCount).toBeGreaterThan(10)
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
})

test('applies delivery faults to content as to any response', async () => {
  const { id } = await stored(await upload(Buffer.from('0123456789'), 'a.wav', 'voice-clone-input'))
  const corrupted = (rule: object): Promise<Response> =>
    service.call(`${path}/${id}/content`, { headers: { 'x-fault': JSON.stringify(rule) } })
  expect(await (await corrupted({ pieceBytes: 3 })).text()).toBe('0123456789')
  await expect((await corrupted({ cutAfterBytes: 4 })).text()).rejects.toThrow(/terminated/)
  expect(await failureOf(await corrupted({ answer: 'no-end' }))).toBe('400 1210')
})

test('protects an upload from other users', async () => {
  // Windows has no file modes; the user's folder is inaccessible to others there.
  if (process.platform === 'win32') return
  const folder = join(service.home, 'files')
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  await upload(Buffer.from('a voice'), 'a.wav', 'voice-clone-input')
  const modeOf = async (place: string): Promise<string> =>
    ((await stat(place)).mode & 0o777).toString(8)
  expect(await modeOf(folder)).toBe('700')
  const names = await readdir(folder)
  expect(names).toHaveLength(2)
  for (const name of names) expect(await modeOf(join(folder, name))).toBe('600')
})

test('checks size and type by the purpose, and leaves nothing of a rejected upload', async () => {
  const megabyte = 1024 * 1024
  const code = async (bytes: number, name: string, purpose: string | null): Promise<string> => {
    const response = await upload(Buffer.alloc(bytes, 1), name, purpose)
    if (response.status !== 200) return failureOf(response)
    await service.call(`${path}/${(await stored(response)).id}`, { method: 'DELETE' })
    return 'ok'
  }
  expect(await code(10 * megabyte, 'a.wav', 'voice-clone-input')).toBe('ok')
  expect(await code(10 * megabyte + 1, 'a.wav', 'voice-clone-input')).toBe('400 1214')
  expect(await code(5, 'a.flac', 'voice-clone-input')).toBe('400 1214')
  expect(await code(5 * megabyte, 'a.PNG', 'agent')).toBe('ok')
  expect(await code(5 * megabyte + 1, 'a.PNG', 'agent')).toBe('400 1214')
  expect(await code(5 * megabyte + 1, 'a.pdf', 'agent')).toBe('ok')
  expect(await code(5, 'a.wav', 'something-else')).toBe('400 1214')
  expect(await code(5, 'a.wav', null)).toBe('400 1213')
  expect(await code(0, 'a.wav', 'voice-clone-input')).toBe('400 1214')
  expect(await readdir(join(service.home, 'files'))).toEqual([])
})

test('rejects a form without a file', async () => {
  const body = new FormData()
  body.append('purpose', 'agent')
  expect(await failureOf(await service.call(path, { method: 'POST', body }))).toBe('400 1213')
})

test('never writes files of other fields to disk', async () => {
  const body = new FormData()
  body.append('purpose', 'voice-clone-input')
  body.append('other', new Blob(['x']), '../../other.wav')
  body.append('file', new Blob(['y']), 'a.wav')
  const { id } = await stored(await service.call(path, { method: 'POST', body }))
  expect(await (await service.call(`${path}/${id}/content`)).text()).toBe('y')
  const names = await readdir(join(service.home, 'files'))
  expect(names.toSorted()).toEqual([`${id}.bin`, `${id}.json`])
  body.append('third', new Blob(['z']), 'c.wav')
  expect(await failureOf(await service.call(path, { method: 'POST', body }))).toBe('400 1210')
  expect(await readdir(join(service.home, 'files'))).toHaveLength(2)
})

test('lists each file once, page by page with `after`', async () => {
  for (const name of ['1.wav', '2.wav', '3.wav'])
    await upload(Buffer.from(name), name, 'voice-clone-input')
  const first = await list('purpose=voice-clone-input&limit=2')
  expect(first.has_more).toBe(true)
  const last = await list(`purpose=voice-clone-input&limit=2&after=${first.data[1]?.id}`)
  expect(last.has_more).toBe(false)
  const names = [...first.data, ...last.data].map((file) => file.filename)
  expect(names.toSorted()).toEqual(['1.wav', '2.wav', '3.wav'])
  expect((await list('purpose=batch')).data).toEqual([])
})

test.each([
  ['', '400 1213'],
  ['purpose=unknown', '400 1214'],
  ['purpose=batch&limit=0', '400 1214'],
  ['purpose=batch&limit=101', '400 1214'],
  ['purpose=batch&limit=many', '400 1214'],
  ['purpose=batch&order=size', '400 1214'],
  ['purpose=batch&after=file-unknown', '400 1214'],
])('rejects the list query "%s"', async (query, code) => {
  expect(await failureOf(await service.call(`${path}?${query}`))).toBe(code)
})

test('does not leave the folder for any ID', async () => {
  for (const id of ['..%2F..%2Fetc%2Fpasswd', '%2e%2e', 'file-', 'constructor'])
    expect((await service.call(`${path}/${id}/content`)).status).not.toBe(200)
})
