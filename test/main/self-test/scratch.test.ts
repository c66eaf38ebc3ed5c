import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { removeStrays, scratchPrefix } from '../../../src/main/self-test/temporary-folder.ts'

// The temporary folder is shared: what stands there under our name may be anybody's.

let temporary: string
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'lectern-strays-'))
})
afterEach(() => rmSync(temporary, { recursive: true, force: true }))

const twoHoursAgo = new Date(Date.now() - 7_200_000)

/** A folder as an earlier self-test left it. */
function leftBehind(name: string, mode = 0o700): string {
  const path = join(temporary, scratchPrefix + name)
  mkdirSync(path)
  writeFileSync(join(path, 'library.db'), 'rows')
  chmodSync(path, mode)
  utimesSync(path, twoHoursAgo, twoHoursAgo)
  return path
}

test('an old folder of this user goes; a fresh one may belong to a test that runs', async () => {
  const old = leftBehind('old')
  const fresh = leftBehind('fresh')
  utimesSync(fresh, new Date(), new Date())
  const other = join(temporary, 'somebody-else')
  mkdirSync(other)
  utimesSync(other, twoHoursAgo, twoHoursAgo)
  await removeStrays(temporary)
  expect([old, fresh, other].map((path) => existsSync(path))).toEqual([false, true, true])
})

test('a file of that name stays', async () => {
  const path = join(temporary, `${scratchPrefix}file`)
  writeFileSync(path, 'words')
  utimesSync(path, twoHoursAgo, twoHoursAgo)
  await removeStrays(temporary)
  expect(existsSync(path)).toBe(true)
})

test('a link stays, and what it leads to; so does a folder that others may enter', async () => {
  const target = join(temporary, 'target')
  mkdirSync(target, { mode: 0o700 })
  utimesSync(target, twoHoursAgo, twoHoursAgo)
  const link = join(temporary, `${scratchPrefix}link`)
  symlinkSync(target, link)
  const open = leftBehind('open', 0o755)
  await removeStrays(temporary)
  expect([link, target, open].map((path) => existsSync(path))).toEqual([true, true, true])
})

test('a folder of another user stays', async () => {
  // Windows makes every folder with owner 0 and mode 0777: nothing that has an owner there is ours.
  const foreign = leftBehind('foreign')
  await removeStrays(temporary, statSync(foreign).uid + 1)
  expect(existsSync(foreign)).toBe(true)
})
