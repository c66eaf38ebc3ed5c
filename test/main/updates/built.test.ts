import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

// electron-updater is bundled: the build must still load, and install, without Electron and without node_modules.

const chunks = resolve('out/main/chunks')

test('replaces an AppImage with the built installer', async () => {
  if (!existsSync(chunks)) throw new Error('out/main is missing: run npm run build first')
  const chunk = readdirSync(chunks).find((name) => name.startsWith('installer-'))
  const folder = mkdtempSync(join(tmpdir(), 'lectern-built-'))
  const program = join(folder, 'Lectern-0.1.0-x86_64.AppImage')
  writeFileSync(program, 'version 0.1.0', { mode: 0o755 })
  const name = 'Lectern-0.2.0-x86_64.AppImage'
  const bytes = randomBytes(100_000)
  mkdirSync(join(folder, 'updates'))
  const path = join(folder, 'updates', name)
  writeFileSync(path, bytes)
  const plan = {
    version: '0.2.0',
    path,
    name,
    size: bytes.length,
    sha512: createHash('sha512').update(bytes).digest('base64'),
    isRollBack: false,
  }
  const options = {
    kind: 'appimage',
    version: '0.1.0',
    folder: join(folder, 'updates'),
    appImage: program,
    publishers: [],
  }
  const code = `
    const { createInstaller } = await import(${JSON.stringify(`file://${chunks}/${chunk}`)})
    const log = { info() {}, warn() {}, error() {} }
    const installer = createInstaller({ ...${JSON.stringify(options)}, log })
    console.log(JSON.stringify([await installer.prepare(${JSON.stringify(plan)}), installer.install(true)]))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', code],
    { env: { ...process.env, APPIMAGE: program }, cwd: folder },
  )
  // The file name contained the old version: the file has that of the new one.
  expect(JSON.parse(stdout)).toEqual([{ ok: true }, { ok: true, path: join(folder, name) }])
  expect(readdirSync(folder).toSorted()).toEqual([name, 'updates'])
  expect(readFileSync(join(folder, name)).equals(bytes)).toBe(true)
  expect(existsSync(join(folder, 'updates', '.updaterId'))).toBe(false)
  rmSync(folder, { recursive: true, force: true })
})
