import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkIds, type SelfTestReport } from '../../src/shared/self-test/checks.ts'
import { launch } from '../electron-standin/launch.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-checked-'))
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))

test('runs every check of `--self-test` in the built app without a failure', async () => {
  const file = join(folder, 'report.json')
  // Its library is in a temporary folder of the test: other tests search for leftovers of self-tests.
  const app = launch({ args: ['--self-test', `--report=${file}`], env: { TMPDIR: folder } })
  const code = await app.exited
  const report = JSON.parse(await readFile(file, 'utf8')) as SelfTestReport
  expect(report.checks.filter(({ result }) => result === 'fail')).toEqual([])
  expect(report).toMatchObject({ host: 'electron', complete: true, failed: 0 })
  expect(report.checks.map(({ id }) => id)).toEqual(checkIds)
  expect(code).toBe(0)
  const passed = report.checks.filter(({ result }) => result === 'pass').map(({ id }) => id)
  // Checks of uploads in chunks, of files on disk by path, and of features that only the window has.
  expect(passed).toEqual(
    expect.arrayContaining(['upload', 'large-file', 'print', 'computer-sound', 'microphone']),
  )
}, 400_000)
