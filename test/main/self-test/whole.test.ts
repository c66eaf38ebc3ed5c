import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { memoryKeychain, testApp, type TestApp } from '../../fixtures/app.ts'
import { checkIds, checks, type CheckResult } from '../../../src/shared/self-test/checks.ts'
import type { SelfTestState } from '../../../src/shared/contract/selfTest.ts'
import { removal } from '../../../src/system/file-moves.ts'

// The whole self-test against the real app, its workers and its on-device engines; no page, no window.

// A separate folder for temporary files, because other tests create and remove theirs meanwhile.
const temporary = mkdtempSync(join(tmpdir(), 'lectern-whole-'))
beforeAll(() => {
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, temporary)
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(temporary, removal)
})

let lectern: TestApp
const keychain = memoryKeychain()
beforeEach(async () => {
  lectern = await testApp({ keychain })
})
afterEach(() => lectern.remove())

async function over(): Promise<SelfTestState & { readonly results: readonly CheckResult[] }> {
  await expect
    .poll(async () => (await lectern.call('selfTest.state', {})).run?.state, { timeout: 290_000 })
    .not.toBe('running')
  const state = await lectern.call('selfTest.state', {})
  return { ...state, results: state.run?.results ?? [] }
}

const scratchFolders = (): readonly string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('lectern-self-test-'))

test('passes every core check, leaves library and keychain untouched, and cleans up', async () => {
  const library = await lectern.call('library.entries', {})
  await lectern.call('selfTest.start', { pages: false })
  const { report, results } = await over()
  const core = results.filter(({ id }) => checks[id].place === 'core')
  const outcomes = core.map(({ id, result, note, values }) => ({ id, result, note, values }))
  expect(results.map(({ id }) => id)).toEqual(checkIds)
  expect(outcomes.filter(({ result }) => result === 'fail')).toEqual([])
  expect(outcomes.filter(({ result }) => result === 'unavailable').map(({ id }) => id)).toEqual([
    'print',
    // This host installs no updates.
    'updates',
  ])
  expect(report).toMatchObject({ format: 'lectern-self-test/1', complete: true, failed: 0 })
  expect(await lectern.call('library.entries', {})).toEqual(library)
  expect(keychain.secrets.size).toBe(0)
  expect(scratchFolders()).toEqual([])
  // The saved report contains no paths, names or keys.
  const text = JSON.stringify(report)
  expect(text).not.toContain(tmpdir())
  expect(text).not.toMatch(/[/\\]home|Users|[A-Za-z]:\\/)
}, 300_000)
