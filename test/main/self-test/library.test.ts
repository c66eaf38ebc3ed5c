import { mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createApp } from '../../../src/main/app.ts'
import type { WorkerName } from '../../../src/main/deps.ts'
import type { HostDeps } from '../../../src/main/host.ts'
import { broke, type CheckScope } from '../../../src/main/self-test/check.ts'
import { libraryChecks } from '../../../src/main/self-test/library.ts'
import { openScratch, type Scratch } from '../../../src/main/self-test/temporary-folder.ts'
import { workersCheck } from '../../../src/main/self-test/workers.ts'
import { storePaths } from '../../../src/main/platform/database/paths.ts'
import { testDeps } from '../../fixtures/app.ts'

// Each check of the library fails if what it checks is broken; whole.test.ts verifies that all pass on a healthy computer.

let home: string
let scratch: Scratch | null = null
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'lectern-broken-'))
})
afterEach(async () => {
  await scratch?.close()
  scratch = null
  rmSync(home, { recursive: true, force: true })
})

const dead = new URL('data:text/javascript,throw new Error("broken")')

/** The host's deps with one worker program that crashes at its start. */
function without(name: WorkerName | null, change: Partial<HostDeps> = {}): HostDeps {
  const whole = testDeps(home, change)
  return { ...whole, workerUrl: (each) => (each === name ? dead : whole.workerUrl(each)) }
}

async function scopeOf(deps: HostDeps): Promise<CheckScope> {
  scratch = await openScratch(deps, createApp)
  const opened = scratch
  return { signal: AbortSignal.timeout(60_000), scratch: async () => opened }
}

type Name = keyof ReturnType<typeof libraryChecks>
async function run(name: Name, deps: HostDeps, before?: (of: Scratch) => void | Promise<void>) {
  const scope = await scopeOf(deps)
  await before?.(await scope.scratch())
  return libraryChecks(deps)[name](scope).catch(broke)
}

test.each([
  ['database', 'database-check'],
  ['local-service', 'local-service'],
  ['pdf', 'documents'],
  ['search', 'search'],
  ['ocr', 'pages'],
  ['speech', 'speech'],
  ['embeddings', 'text'],
  ['recording', 'recorder'],
  ['export', 'exports'],
  ['archive', 'archive'],
] as const)('%s fails without the program %s and reports no path', async (name, worker) => {
  const outcome = await run(name, without(worker))
  expect(outcome.result).toBe('fail')
  expect(JSON.stringify(outcome)).not.toMatch(/[/\\]/)
})

test.each(['ocr', 'speech', 'embeddings'] as const)('%s fails without its models', async (name) => {
  expect(await run(name, without(null, { modelsDir: join(home, 'gone') }))).toMatchObject({
    result: 'fail',
  })
})

test('fails for a damaged database', async () => {
  const outcome = await run('database', without(null), async ({ home: folder }) => {
    const { database } = storePaths(folder)
    truncateSync(`${database}-wal`)
    const file = await open(database, 'r+')
    await file.write(Buffer.alloc(4096, 0x55), 0, 4096, 8192)
    await file.close()
  })
  expect(outcome.result).toBe('fail')
})

test('fails if the disk rejects a large file', async () => {
  const outcome = await run('large-file', without(null), async ({ home: folder }) => {
    await mkdir(join(folder, 'self-test.bin'))
  })
  expect(outcome).toMatchObject({ result: 'fail', note: 'broke', values: { code: 'EEXIST' } })
})

test('workers: reports exactly the program that crashes at its start', async () => {
  const names: readonly WorkerName[] = ['search', 'audio', 'pages']
  const whole = testDeps(home)
  const deps = {
    ...whole,
    workerUrl: (name: WorkerName) => (names.includes(name) ? dead : whole.workerUrl(name)),
  }
  const outcome = await workersCheck(deps)(await scopeOf(testDeps(home)))
  expect(outcome).toMatchObject({ result: 'fail', note: 'workersMissing' })
  expect(String(outcome.values?.['names']).split(', ').toSorted()).toEqual(names.toSorted())
})
