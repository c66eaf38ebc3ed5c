import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  isTeamSigned,
  startAfter,
  updateSupport,
  type InstallationFacts,
} from '../../../../src/main/hosts/support/update-support.ts'

const facts: InstallationFacts = {
  platform: 'linux',
  isPackaged: true,
  appImage: '/home/ada/Lectern.AppImage',
  isFolderWritable: true,
  isSigned: false,
}

test.each([
  [{}, { mode: 'restart' }],
  [{ isFolderWritable: false }, { mode: 'manual', why: 'read-only-folder' }],
  [{ appImage: null }, { mode: 'manual', why: 'system-package' }],
  [{ platform: 'win32', appImage: null }, { mode: 'restart' }],
  [
    { platform: 'darwin', appImage: null },
    { mode: 'manual', why: 'unsigned' },
  ],
  [{ platform: 'darwin', appImage: null, isSigned: true }, { mode: 'restart' }],
  [{ isPackaged: false }, { mode: 'none', why: 'development' }],
  [
    { platform: 'win32', isPackaged: false },
    { mode: 'none', why: 'development' },
  ],
])('an installation with %o supports %o', (some, support) => {
  expect(updateSupport({ ...facts, ...some })).toEqual(support)
})

test('accepts only a signature with a team', () => {
  const signatureText = (team: string): string =>
    `Executable=/Applications/Lectern.app\nSignature=adhoc\nTeamIdentifier=${team}\nSealed Resources=none`
  expect(isTeamSigned(signatureText('ABCDE12345'))).toBe(true)
  expect(isTeamSigned(signatureText('not set'))).toBe(false)
  expect(isTeamSigned('code object is not signed at all')).toBe(false)
})

test('starts a program after the previous process ended, without its AppImage environment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern start '))
  const program = join(folder, "it's new.sh")
  const outputPath = join(folder, 'said')
  writeFileSync(program, `#!/bin/sh\nenv > "${outputPath}"\n`, { mode: 0o755 })
  const before = spawn('sleep', ['30'])
  const env = { ...process.env, APPIMAGE: '/old', APPDIR: '/tmp/.mount', LD_LIBRARY_PATH: '/x' }
  const command = startAfter(before.pid ?? 0, program, env)
  const waiting = spawn(command.command, command.args, { env: command.env, stdio: 'ignore' })
  await wait(300)
  expect(() => readFileSync(outputPath)).toThrow('ENOENT')
  before.kill()
  await expect.poll(() => readFileSync(outputPath, 'utf8')).toContain('PATH=')
  expect(readFileSync(outputPath, 'utf8')).not.toMatch(/^(APPIMAGE|APPDIR|LD_LIBRARY_PATH)=/m)
  waiting.kill()
  rmSync(folder, { recursive: true, force: true })
})
