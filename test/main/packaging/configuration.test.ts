import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { afterPack, programOf } from '../../../scripts/after-pack.mjs'
import { fuses } from '../../../src/main/security/fuses.ts'
import { root } from './built.ts'
import { readConfiguration, validate } from './configuration.ts'

const configuration = readConfiguration()

describe('electron-builder.yml', () => {
  test('is valid by electron-builder’s own schema, which would find a mistake', async () => {
    await expect(validate(configuration)).resolves.toBeUndefined()
    await expect(validate({ ...configuration, fuse: true })).rejects.toThrow(/fuse/)
    await expect(
      validate({ ...configuration, mac: { ...configuration.mac, hardenedRuntim: true } }),
    ).rejects.toThrow(/configuration\.mac/)
  })

  test('packs for Windows, both kinds of Mac, and Linux', () => {
    expect(configuration.win.target).toBe('nsis')
    expect(configuration.mac.target).toEqual([
      { target: 'dmg', arch: ['arm64', 'x64'] },
      { target: 'zip', arch: ['arm64', 'x64'] },
    ])
    expect(configuration.linux.target).toEqual(['AppImage', 'deb'])
  })

  test('asks for the microphone and for the computer’s sound in words, and may use no more', () => {
    expect(configuration.mac['extendInfo']).toEqual({
      NSMicrophoneUsageDescription: expect.stringMatching(/^Lectern records .+\.$/),
      NSAudioCaptureUsageDescription: expect.stringMatching(/^Lectern records .+\.$/),
    })
    const plist = readFileSync(join(root, String(configuration.mac['entitlements'])), 'utf8')
    expect([...plist.matchAll(/<key>([^<]+)<\/key>/g)].map(([, key]) => key)).toEqual([
      'com.apple.security.cs.allow-jit',
      'com.apple.security.device.audio-input',
    ])
    expect(configuration.mac['hardenedRuntime']).toBe(true)
  })

  test('publishes nothing, compiles nothing, and leaves fuses to the strict list', () => {
    expect(configuration.publish).toBeNull()
    expect(configuration['npmRebuild']).toBe(false)
    expect(configuration['electronFuses']).toBeUndefined()
    expect(configuration.afterPack).toBe('scripts/after-pack.mjs')
    expect(configuration['asar']).toBe(true)
    expect(configuration['disableAsarIntegrity']).toBeUndefined()
  })

  test('names files that exist', () => {
    const { icon } = configuration.mac
    for (const file of [icon, configuration.afterPack, String(configuration.mac['entitlements'])])
      expect(existsSync(join(root, file)), file).toBe(true)
    // 1024 by 1024, as the largest of the icons that are made from it.
    const png = readFileSync(join(root, icon))
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1024, 1024])
    expect(configuration.extraResources.map(({ to }) => to)).toEqual(['models', 'licences.md'])
  })
})

describe('afterPack', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-fuses-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const context = {
    appOutDir: folder,
    electronPlatformName: 'linux',
    arch: 1,
    packager: { appInfo: { productFilename: 'Lectern' }, executableName: 'lectern' },
  }
  /** A program as far as fuses go: the mark that Electron binaries carry, a version, a count, and a state for each. */
  const program = (states: string): string => {
    const file = programOf(context)
    const wire = Buffer.from([1, states.length, ...Buffer.from(states)])
    const mark = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX')
    writeFileSync(file, Buffer.concat([Buffer.from('ELF…'), mark, wire, Buffer.from('…')]))
    return file
  }

  test('sets every fuse as the policy says', async () => {
    const file = program('101100011')
    await afterPack(context)
    const bytes = readFileSync(file)
    const at = bytes.indexOf('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX') + 34
    const wanted = Object.values(fuses)
      .map((on) => (on ? '1' : '0'))
      .join('')
    expect(bytes.subarray(at, at + 9).toString()).toBe(wanted)
  })

  test('refuses an Electron that brings a fuse nobody decided about', async () => {
    program('1011000110')
    await expect(afterPack(context)).rejects.toThrow(/fuse/i)
  })

  test('finds the program on each system', () => {
    const on = (electronPlatformName: string): string =>
      programOf({ ...context, electronPlatformName })
    expect(
      [on('darwin'), on('win32'), on('linux')].map((path) => path.slice(folder.length + 1)),
    ).toEqual(['Lectern.app', 'Lectern.exe', 'lectern'])
  })
})
