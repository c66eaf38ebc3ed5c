import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { at } from '../../scripts/lib/paths.mjs'
import { packedProgram, selfTest } from '../../scripts/test-packed.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-packed-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const report = () => join(folder, 'reports', 'self-test.json')
const check = (id, result) => ({ id, title: `Title of ${id}`, result, detail: 'Why.' })
const checks = [check('page', 'pass'), check('computer-sound', 'fail')]

/** Runs a program in place of the app: it receives the app's arguments and runs `code`. */
function start(code, options = {}) {
  const program = join(folder, 'app.mjs')
  writeFileSync(
    program,
    `import { writeFileSync } from 'node:fs'
    const file = process.argv.find((arg) => arg.startsWith('--report=')).slice('--report='.length)
    if (!process.argv.includes('--self-test')) process.exit(9)
    const write = (report) => writeFileSync(file, JSON.stringify(report))
    ${code}`,
  )
  return selfTest(process.execPath, { args: [program], report: report(), ...options })
}
const writing = (some, code) =>
  `write(${JSON.stringify({ complete: true, passed: 1, checks, ...some })}); process.exit(${code})`

describe('packed app', () => {
  test.each([
    ['linux', 'x64', 'dist/linux-unpacked/lectern'],
    ['linux', 'arm64', 'dist/linux-arm64-unpacked/lectern'],
    ['win32', 'x64', 'dist/win-unpacked/Lectern.exe'],
    ['darwin', 'arm64', 'dist/mac-arm64/Lectern.app/Contents/MacOS/Lectern'],
  ])('is found for %s %s', (platform, arch, path) => {
    expect(packedProgram({ platform, arch })).toBe(at(path))
  })

  test('passes when nothing fails, or only checks this computer does not support', async () => {
    expect(await start(writing({ checks: [checks[0]] }, 0))).toMatchObject({ passed: 1 })
    expect(await start(writing({}, 1), { without: ['computer-sound'] })).toMatchObject({
      passed: 1,
    })
    expect(existsSync(report())).toBe(true)
  })

  test('fails with the check that failed, and keeps its report', async () => {
    await expect(start(writing({}, 1), { without: ['links'] })).rejects.toThrow(
      'The self-test failed:\n- Title of computer-sound: Why.',
    )
    expect(existsSync(report())).toBe(true)
  })

  test('fails when it ends before all checks', async () => {
    const without = ['computer-sound']
    await expect(start(writing({ complete: false }, 1), { without })).rejects.toThrow(
      'not complete',
    )
    await expect(start(writing({}, 134), { without })).rejects.toThrow('exit code 134')
  })

  test('fails when it writes nothing, even if an earlier run did', async () => {
    await start(writing({ checks: [] }, 0))
    await expect(start('process.exit(3)')).rejects.toThrow('exited with code 3 and wrote no report')
  })

  test('fails when it does not end', async () => {
    await expect(start('setInterval(() => {}, 1000)', { timeoutMs: 500 })).rejects.toThrow(
      'did not exit within 0.5 seconds',
    )
  })
})
