import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WorkerUrl } from '../../../../src/main/deps.ts'
import { openStore } from '../../../../src/main/library-database/open.ts'
import { addItem, storeOptions, temporaryHome, withStore } from './fixture.ts'
import { workerUrl } from '../../../fixtures/worker-url.ts'

let folder: ReturnType<typeof temporaryHome>
let programs: string

beforeEach(() => {
  folder = temporaryHome()
  programs = mkdtempSync(join(tmpdir(), 'lectern-check-'))
})

afterEach(() => {
  folder.remove()
  rmSync(programs, { recursive: true })
})

/** A check of a library so large that it never ends: waiting for it would take forever. */
function endlessCheck(): WorkerUrl {
  const program = join(programs, 'check.mjs')
  writeFileSync(
    program,
    `import { writeFileSync } from 'node:fs'
     import { parentPort } from 'node:worker_threads'
     parentPort.on('message', () => writeFileSync(${JSON.stringify(join(programs, 'begun'))}, ''))`,
  )
  return (name) => (name === 'database-check' ? pathToFileURL(program) : workerUrl(name))
}

const begun = (): boolean => existsSync(join(programs, 'begun'))

test('closing does not wait for the check of a copy; it ends the backup and leaves nothing of it', async () => {
  const store = await openStore({ ...storeOptions(folder.home), workerUrl: endlessCheck() })
  addItem(store, 'a', 'Kept', 'words')
  const copying = store.backup()
  await expect.poll(begun).toBe(true)
  const backups = join(folder.home, 'backups')
  expect(readdirSync(backups)).toHaveLength(1)
  await store.close()
  expect(readdirSync(backups)).toEqual([])
  expect(await copying).toMatchObject({ ok: false, error: { code: 'CANCELLED' } })
  await withStore(folder.home, (again) => expect(again.items.summary('a')?.title).toBe('Kept'))
})

test('closing does not wait for a running check of the library', async () => {
  const store = await openStore({
    ...storeOptions(folder.home),
    workerUrl: endlessCheck(),
    checkAfterMs: 1,
  })
  await expect.poll(begun).toBe(true)
  await store.close()
  expect(() => store.items.list({ bin: false, limit: 1 })).toThrow('closed')
})
