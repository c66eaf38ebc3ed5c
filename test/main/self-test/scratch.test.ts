import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { removeStrays, scratchPrefix } from '../../../src/main/self-test/temporary-folder.ts'

// The temporary folder is shared: entries with our name may belong to anyone.

let temporary: string
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'lectern-strays-'))
})
afterEach(() => rmSync(temporary, { recursive: true, force: true }))

const twoHoursAgo = new Date(Date.now() - 7_200_000)

/** A folder left behind by an earlier self-test. */
function leftBehind(name: string, mode = 0o700): string {
  const path = join(temporary, scratchPrefix + name)
  mkdirSync(path)
  writeFileSync(join(path, 'library.db'), 'rows')
  chmodSync(path, mode)
  utimesSync(path, twoHoursAgo, twoHoursAgo)
  return path
}

test('removes an old folder of this user, but not a recent one that a running test may use', async () => {
  const old = leftBehind('old')
  const fresh = leftBehind('fresh')
  utimesSync(fresh, new Date(), new Date())
  const other = join(temporary, 'somebody-else')
  mkdirSync(other)
  utimesSync(other, twoHoursAgo, twoHoursAgo)
  await removeStrays(temporary)
  expect([old, fresh, other].map((path) => existsSync(path))).toEqual([false, true, true])
})

test('keeps a file with that name', async () => {
  const path = join(temporary, `${scratchPrefix}file`)
  writeFileSync(path, 'words')
  utimesSync(path, twoHoursAgo, twoHoursAgo)
  await removeStrays(temporary)
  expect(existsSync(path)).toBe(true)
})

test('keeps a link with its target, and a folder that others can enter', async () => {
  const target = join(temporary, 'target')
  mkdirSync(target, { mode: 0o700 })
  utimesSync(target, twoHoursAgo, twoHoursAgo)
  const link = join(temporary, `${scratchPrefix}link`)
  symlinkSync(target, link)
  const open = leftBehind('open', 0o755)
  await removeStrays(temporary)
  expect([link, target, open].map((path) => existsSync(path))).toEqual([true, true, true])
})

test('keeps a folder of another user', async () => {
  // Windows reports every folder with owner 0 and mode 0777: entries with another owner are not ours.
  const foreign = leftBehind('foreign')
  await removeStrays(temporary, statSync(foreign).uid + 1)
  expect(existsSync(foreign)).toBe(true)
})
