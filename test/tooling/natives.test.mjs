import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { refuseIncomplete } from '../../scripts/complete-lock.mjs'
import {
  isFor,
  nameOf,
  nativeFamilies,
  nativesFor,
  packedSystems,
  withoutIntegrity,
} from '../../scripts/lib/natives.mjs'
import { at } from '../../scripts/lib/paths.mjs'
import { missingNatives, nativesProblem, signing, targetsOf } from '../../scripts/package.mjs'

const { packages } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'))

describe('package-lock.json', () => {
  test('has a package that npm can verify for every packed system', () => {
    const families = nativeFamilies(packages)
    expect(families.filter(({ lacks }) => lacks.length > 0)).toEqual([])
    expect(families.map(({ name }) => name.replace(/@[^@]+$/, '')).toSorted()).toEqual([
      '@napi-rs/canvas',
      '@napi-rs/keyring',
      'lightningcss',
      'oxfmt',
      'oxlint',
      'oxlint-tsgolint',
      'rolldown',
    ])
  })

  test('records the integrity of everything that a packed system installs', () => {
    expect(withoutIntegrity(packages)).toEqual([])
    expect(() => refuseIncomplete(packages)).not.toThrow()
  })

  test('has one canvas: pdf.js uses the same one', () => {
    const canvases = Object.keys(packages).filter((path) => path.endsWith('@napi-rs/canvas'))
    expect(canvases).toEqual(['node_modules/@napi-rs/canvas'])
  })

  test.each(packedSystems.map((system) => [nameOf(system), system]))(
    'provides the product’s native packages for %s',
    (_, system) => {
      const { platform, arch } = system
      const kind = { linux: '-gnu', win32: '-msvc' }[platform] ?? ''
      expect(nativesFor(packages, system).map(({ name }) => name)).toEqual([
        `@napi-rs/canvas-${platform}-${arch}${kind}`,
        `@napi-rs/keyring-${platform}-${arch}${kind}`,
      ])
    },
  )

  test.each(packedSystems.map((system) => [nameOf(system), system]))(
    'has the binary of %s in packages that contain all of them',
    (_, { platform, arch }) => {
      const unzip = { darwin: 'darwin-universal', linux: `linux-${arch}-gnu` }[platform]
      for (const file of [
        `node_modules/better-sqlite3/prebuilds/${platform}-${arch}.node`,
        `node_modules/@electron-internal/extract-zip/index.${unzip ?? `win32-${arch}-msvc`}.node`,
      ])
        expect(existsSync(at(file)), file).toBe(true)
    },
  )
})

describe('lock file', () => {
  const native = (os, cpu, more = {}) => ({
    version: '1.1.1',
    integrity: 'sha512-a',
    os: [os],
    cpu: [cpu],
    optional: true,
    ...more,
  })
  const lock = () => ({
    '': {},
    'node_modules/x': {
      version: '1.1.1',
      integrity: 'sha512-x',
      optionalDependencies: Object.fromEntries(
        packedSystems.map(({ platform, arch }) => [`x-${platform}-${arch}`, '1.1.1']),
      ),
    },
    ...Object.fromEntries(
      packedSystems.map(({ platform, arch }) => [
        `node_modules/x-${platform}-${arch}`,
        native(platform, arch),
      ]),
    ),
  })

  test('is complete with one package for each system', () => {
    expect(nativeFamilies(lock())).toEqual([{ name: 'x@1.1.1', lacks: [] }])
  })

  test('is rejected by name when a package was never published or has no integrity', () => {
    const { 'node_modules/x-darwin-x64': _, ...absent } = lock()
    expect(() => refuseIncomplete(absent)).toThrow('x@1.1.1 has no package for darwin x64.')
    const unverified = lock()
    delete unverified['node_modules/x-win32-x64'].integrity
    expect(() => refuseIncomplete(unverified)).toThrow(
      /x@1\.1\.1 has no package for win32 x64\.\nnode_modules\/x-win32-x64 has no integrity\.\nChoose a version/,
    )
  })

  test('may list packages for other systems without integrity', () => {
    const more = { ...lock(), 'node_modules/x-freebsd-x64': { os: ['freebsd'], cpu: ['x64'] } }
    expect(() => refuseIncomplete(more)).not.toThrow()
    expect(isFor(native('linux', 'x64', { libc: ['musl'] }), packedSystems[4])).toBe(false)
  })

  test('is rejected without the native packages of its targets, with the command that fixes it', () => {
    const installed = (path) => (path.endsWith('-arm64') ? null : '1.1.1')
    const arm64 = { platform: 'darwin', arch: 'arm64' }
    const x64 = { platform: 'darwin', arch: 'x64' }
    expect(missingNatives([x64], lock(), installed)).toEqual([])
    expect(nativesProblem(missingNatives([x64, arm64], lock(), installed)).message).toMatch(
      /^Native packages are missing:\n- x-darwin-arm64@1\.1\.1 \(darwin arm64\)\n.*: npm install --no-save --force --ignore-scripts x-darwin-arm64@1\.1\.1\n.*--install-natives$/,
    )
    expect(missingNatives([x64], lock(), () => '1.0.0')).toHaveLength(1)
    const tools = Object.fromEntries(
      Object.entries(lock()).map(([path, entry]) => [path, { ...entry, dev: true }]),
    )
    expect(missingNatives([arm64], tools, installed)).toEqual([])
  })
})

describe('packaging', () => {
  const pc = { platform: 'linux', arch: 'x64' }
  const mac = { platform: 'darwin', arch: 'arm64' }
  test.each([
    [[], pc, ['linux x64']],
    [['--dir'], mac, ['darwin x64', 'darwin arm64']],
    [['--x64'], mac, ['darwin x64']],
    [['--arm64', '--x64'], pc, ['linux x64', 'linux arm64']],
    [['--win', '--arm64'], pc, ['win32 arm64']],
    [['-w', '-l'], pc, ['win32 x64', 'linux x64']],
  ])('packs with %j for %j', (args, machine, targets) => {
    expect(targetsOf(args, machine).map(nameOf)).toEqual(targets)
  })

  test('requires the native packages of this computer, which exist', () => {
    expect(missingNatives([process], packages)).toEqual([])
  })

  test('signs ad hoc for macOS without a certificate, and treats empty secrets as none', () => {
    const adHoc = ['-c.mac.identity=-', '-c.mac.hardenedRuntime=false', '-c.mac.notarize=false']
    expect(signing({ PATH: '' })).toEqual({ args: adHoc, env: {} })
    const env = { CSC_LINK: '', WIN_CSC_LINK: ' ', APPLE_API_KEY: '', CSC_NAME: '' }
    expect(signing(env)).toEqual({
      args: adHoc,
      env: Object.fromEntries(Object.keys(env).map((name) => [name, undefined])),
    })
  })

  test('signs with a certificate if there is one', () => {
    expect(signing({ CSC_LINK: 'base64' })).toEqual({ args: [], env: {} })
    expect(signing({ CSC_NAME: 'The Lectern developers' }).args).toEqual([])
    const azure = {
      CSC_LINK: 'base64',
      AZURE_SIGNING_ENDPOINT: 'https://weu.codesigning.azure.net',
      AZURE_SIGNING_ACCOUNT: 'lectern',
      AZURE_SIGNING_PROFILE: 'public',
      AZURE_SIGNING_PUBLISHER: 'CN=Lectern',
    }
    expect(signing(azure).args).toEqual([
      '-c.win.azureSignOptions.endpoint=https://weu.codesigning.azure.net',
      '-c.win.azureSignOptions.codeSigningAccountName=lectern',
      '-c.win.azureSignOptions.certificateProfileName=public',
      '-c.win.azureSignOptions.publisherName=CN=Lectern',
    ])
    expect(signing({ ...azure, AZURE_SIGNING_PROFILE: '' }).args).toEqual([])
  })
})
