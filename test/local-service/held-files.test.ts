import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openFileStore } from '../../src/local-service/file-store.ts'
import { openMediaStore } from '../../src/local-service/media-store.ts'
import { removal } from '../../src/system/file-moves.ts'

/** Number of renames that Windows still denies while a virus scanner reads the new file. */
let refusals = 0
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  return {
    ...real,
    async rename(from: string, to: string) {
      if ((refusals -= 1) >= 0) throw Object.assign(new Error('held'), { code: 'EPERM' })
      return real.rename(from, to)
    },
  }
})

const { platform } = process
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-held-'))
  Object.defineProperty(process, 'platform', { value: 'win32' })
  refusals = 2
})
afterEach(() => {
  Object.defineProperty(process, 'platform', { value: platform })
  rmSync(folder, removal)
})

test('lists an uploaded file that a virus scanner locked for a moment', async () => {
  const store = openFileStore(folder, randomUUID)
  const arrived = await store.receive(Readable.from([Buffer.from('words')]))
  const saved = await arrived.keep({ filename: 'a.txt', purpose: 'batch', createdAt: 1 })
  expect((await store.list()).map(({ id }) => id)).toEqual([saved.id])
})

test('saves an image of an answer that a virus scanner locked for a moment', async () => {
  const store = openMediaStore(folder, () => 'http://127.0.0.1')
  const address = await store.put(Buffer.from('picture'), 'png')
  const name = address.split('/').at(-1) ?? ''
  expect(readFileSync(join(folder, name), 'utf8')).toBe('picture')
})
