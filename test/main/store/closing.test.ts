import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WorkerUrl } from '../../../src/main/deps.ts'
import { openStore } from '../../../src/main/store/open.ts'
import { addItem, storeOptions, temporaryHome, withStore, workerUrl } from './fixture.ts'

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

/** A check of a library so large that it takes ten seconds. */
function slowCheck(): WorkerUrl {
  const program = join(programs, 'check.mjs')
  writeFileSync(
    program,
    `import { parentPort } from 'node:worker_threads'
     parentPort.on('message', ({ id }) => {
       setTimeout(() => parentPort.postMessage({ id, ok: true, value: { task: 'check', trouble: null } }), 10_000)
     })`,
  )
  return (name) => (name === 'database-check' ? pathToFileURL(program) : workerUrl(name))
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

test('closing while a copy is looked through is quick, ends the backup and leaves nothing of it', async () => {
  const store = await openStore({ ...storeOptions(folder.home), workerUrl: slowCheck() })
  addItem(store, 'a', 'Kept', 'words')
  const copying = store.backup()
  await pause(300)
  const backups = join(folder.home, 'backups')
  expect(readdirSync(backups)).toHaveLength(1)
  expect(await timed(() => store.close())).toBeLessThan(1000)
  expect(readdirSync(backups)).toEqual([])
  expect(await copying).toMatchObject({ ok: false, error: { code: 'CANCELLED' } })
  await withStore(folder.home, (again) => expect(again.items.get('a')?.title).toBe('Kept'))
})

test('closing while the library is looked through is quick', async () => {
  const store = await openStore({
    ...storeOptions(folder.home),
    workerUrl: slowCheck(),
    checkAfterMs: 1,
  })
  await pause(200)
  expect(await timed(() => store.close())).toBeLessThan(1000)
})
