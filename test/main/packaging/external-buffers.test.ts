import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { readFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nativesFor } from '../../../scripts/lib/natives.mjs'
import { startKeyringSession, type KeyringSession } from '../../fixtures/keyring-session.ts'
import {
  genericFailure,
  noExternalBuffersAllowed,
  writeRefusingNode,
} from '../../fixtures/refusing-node.ts'
import { root } from './built.ts'

/**
 * Native packages of the product, with the error message of one that requires buffers outside of V8's heap without a
 * fallback.
 */
const packages = [
  ['@napi-rs/canvas', 'Failed to create buffer slice from data'],
  ['@napi-rs/keyring', null],
  ['better-sqlite3', 'Error in native callback'],
] as const

const { packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))

/** Returns the native file of a package for this system. */
function nativeFile(name: string): Buffer {
  const inside = join(root, 'node_modules', name, 'prebuilds', `linux-${process.arch}.node`)
  if (name === 'better-sqlite3') return readFileSync(inside)
  const folder = join(root, 'node_modules', `${name}-linux-${process.arch}-gnu`)
  const file = readdirSync(folder).find((entry) => entry.endsWith('.node'))
  return readFileSync(join(folder, file ?? ''))
}

const onLinux = process.platform === 'linux'

// Patches Linux binaries; the packages have the same code for it on every system.
describe('where buffers outside of the heap are refused, as in Electron’s memory cage,', () => {
  let folder = ''
  let keyring: KeyringSession | undefined
  const at = (name: string): string => join(folder, name)
  beforeAll(async () => {
    if (!onLinux) return
    folder = await mkdtemp(join(tmpdir(), 'lectern-refusing-'))
    keyring = await startKeyringSession()
    await writeRefusingNode(at('refusing'), noExternalBuffersAllowed)
    await writeRefusingNode(at('failing'), genericFailure)
  })
  afterAll(async () => {
    await keyring?.stop()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  const work = async (node: string, name: string): Promise<unknown> => {
    const { stdout } = await promisify(execFile)(
      node,
      ['--no-warnings', join(root, 'test/main/packaging/natives-at-work.ts'), name],
      { env: { ...process.env, ...keyring?.env }, timeout: 60_000 },
    )
    return JSON.parse(stdout)
  }

  test.each(onLinux ? packages : [])('%s behaves as everywhere else', async (name) => {
    const [allowed, refused] = await Promise.all([
      work(process.execPath, name),
      work(at('refusing'), name),
    ])
    expect(Object.keys(allowed as object).length).toBeGreaterThan(3)
    expect(refused).toEqual(allowed)
  })

  test.each(onLinux ? packages : [])(
    'a refusal reaches %s, if it uses such buffers',
    async (name, failure) => {
      expect(nativeFile(name).includes('napi_create_external_')).toBe(failure !== null)
      const outcome = work(at('failing'), name)
      if (failure === null) await expect(outcome).resolves.toBeDefined()
      else await expect(outcome).rejects.toThrow(failure)
    },
  )

  test('includes every native package of the product', () => {
    const natives = nativesFor(locked, process).map(({ name }) =>
      name.replace(/-(?:linux|darwin|win32)-.*$/, ''),
    )
    const prebuilt = Object.keys(
      JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies,
    ).filter((name) =>
      readdirSync(join(root, 'node_modules', name), { recursive: true }).some((file) =>
        String(file).endsWith('.node'),
      ),
    )
    expect([...new Set([...natives, ...prebuilt])].toSorted()).toEqual(
      packages.map(([name]) => name),
    )
  })
})
