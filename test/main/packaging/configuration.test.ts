import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { placesOf } from '../../../src/main/hosts/support/data-folders.ts'
import { afterPack, programOf } from '../../../scripts/after-pack.mjs'
import { filesOf } from '../../../src/main/hosts/support/opened-files.ts'
import { fuses } from '../../../src/main/platform/security/fuses.ts'
import { root } from './built.ts'
import { desktopEntry, readConfiguration, validate } from './configuration.ts'

const configuration = readConfiguration()

describe('electron-builder.yml', () => {
  test('is valid by electron-builder’s own schema, which would detect a mistake', async () => {
    await expect(validate(configuration)).resolves.toBeUndefined()
    await expect(validate({ ...configuration, fuse: true })).rejects.toThrow(/fuse/)
    await expect(
      validate({ ...configuration, mac: { ...configuration.mac, hardenedRuntim: true } }),
    ).rejects.toThrow(/configuration\.mac/)
  })

  test('packs for Windows, both Mac architectures, and Linux', () => {
    expect(configuration.win.target).toBe('nsis')
    expect(configuration.mac.target).toEqual([
      { target: 'dmg', arch: ['arm64', 'x64'] },
      { target: 'zip', arch: ['arm64', 'x64'] },
    ])
    expect(configuration.linux.target).toEqual(['AppImage', 'deb'])
  })

  test('explains its use of microphone and system audio, and requests no more', () => {
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

  test('also explains it in Chinese', () => {
    const resources = configuration.mac['extraResources']
    expect(resources).toEqual([{ from: 'resources/mac/zh_CN.lproj', to: 'zh_CN.lproj' }])
    expect(configuration['electronLanguages']).toContain('zh_CN')
    const strings = readFileSync(join(root, 'resources/mac/zh_CN.lproj/InfoPlist.strings'), 'utf8')
    const words = Object.fromEntries(
      [...strings.matchAll(/^"(\w+)" = "([^"\\]+)";$/gm)].map(([, key, text]) => [key, text]),
    )
    expect(strings.trim().split('\n')).toHaveLength(Object.keys(words).length)
    expect(Object.keys(words)).toEqual(Object.keys(configuration.mac['extendInfo'] as object))
    for (const text of Object.values(words)) expect(text).toMatch(/Lectern .*[\u4e00-\u9fff]+。$/)
  })

  test('on Linux has one name for the .desktop file, the window and its class', async () => {
    const { name, entry, appImage } = await desktopEntry(configuration)
    expect(name).toBe('app.lectern.desktop')
    expect(entry).toMatch(/^StartupWMClass=app\.lectern\.desktop$/m)
    expect(entry).toMatch(/^Exec=\/opt\/Lectern\/lectern %U$/m)
    expect(appImage).toMatch(/^Exec=AppRun %U$/m)
    const program = readFileSync(join(root, 'src/main/index.ts'), 'utf8')
    expect(program).toContain(`setAppUserModelId('${name}')`)
  })

  test('on Linux includes the window icon, and depends on the audio library by both its names', () => {
    const { icon } = placesOf('file:///app/out/main/index.js', '/resources')
    expect(configuration.linux['extraResources']).toContainEqual({
      from: 'resources/icon-512.png',
      to: icon.replace('/resources/', ''),
    })
    const png = readFileSync(join(root, 'resources/icon-512.png'))
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([512, 512])
    const entry = 'file:///app/out/main/index.js'
    expect(placesOf(entry, '/resources').icon).toBe('/resources/icon.png')
    expect(placesOf(entry).icon).toMatch(/resources[\\/]icon-512\.png$/)
    const dependsOf = (part: string): unknown =>
      (configuration[part] as { depends: unknown }).depends
    expect(dependsOf('deb')).toContain('libasound2t64 | libasound2')
    expect(dependsOf('rpm')).toContain('(alsa-lib or libasound2)')
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
    // 1024 by 1024, the largest of the icons generated from it.
    const png = readFileSync(join(root, icon))
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1024, 1024])
    expect(configuration.extraResources.map(({ to }) => to)).toEqual([
      'models',
      'licences.md',
      'sbom.cdx.json',
    ])
  })
})

describe('files and links that Lectern is registered for', () => {
  const { fileAssociations } = configuration.mac as unknown as {
    fileAssociations: readonly { ext: readonly string[]; rank: string; role: string }[]
  }
  const extensions = fileAssociations.flatMap(({ ext }) => ext).toSorted()
  const installer = readFileSync(join(root, 'resources/installer.nsh'), 'utf8')

  test('are those that it opens', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-kinds-'))
    // All extensions that other programs open and Lectern might.
    const others =
      'aac aiff amr avi bmp csv doc flv gif heic html htm jpg jpeg json mkv mpga mpg png ppt rtf srt tif tiff txt vtt wma wmv xls zip'
    const names = [...extensions, ...others.split(' ')].map((ext) => `a.${ext}`)
    for (const name of names) writeFileSync(join(folder, name), 'x')
    const opened = filesOf(names, folder).map((path) => extname(path).slice(1))
    rmSync(folder, { recursive: true })
    // Opened when passed; Lectern is not registered for every zip, text file and web page (docs/packaging.md).
    const unregistered = ['htm', 'html', 'txt', 'zip']
    expect(opened.toSorted()).toEqual([...extensions, ...unregistered].toSorted())
  })

  test('are the same on every system', () => {
    const offered = [...installer.matchAll(/^ {2}!insertmacro \$\{ACTION\} (\w+)$/gm)]
    expect(offered.map(([, ext = '']) => ext).toSorted()).toEqual(extensions)
    const types: Readonly<Record<string, readonly string[]>> = {
      pdf: ['application/pdf'],
      docx: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
      pptx: ['application/vnd.openxmlformats-officedocument.presentationml.presentation'],
      xlsx: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
      epub: ['application/epub+zip'],
      md: ['text/markdown'],
      wav: ['audio/x-wav', 'audio/vnd.wave'],
      mp3: ['audio/mpeg'],
      m4a: ['audio/mp4', 'audio/x-m4a'],
      ogg: ['audio/ogg'],
      oga: ['audio/ogg'],
      opus: ['audio/x-opus+ogg'],
      webm: ['audio/webm', 'video/webm'],
      flac: ['audio/flac'],
      mp4: ['video/mp4'],
      mov: ['video/quicktime'],
    }
    expect(Object.keys(types).toSorted()).toEqual(extensions)
    expect([...(configuration.linux['mimeTypes'] as string[])].toSorted()).toEqual(
      [...new Set(Object.values(types).flat())].toSorted(),
    )
  })

  test('are not claimed from other programs', () => {
    for (const kind of fileAssociations)
      expect(kind).toMatchObject({ rank: 'Alternate', role: 'Viewer' })
    for (const part of [configuration, configuration.win, configuration.linux])
      expect(part['fileAssociations']).toBeUndefined()
    expect(installer).not.toMatch(/Software\\Classes\\\.[^\\"]+" /)
  })

  test('include lectern: links', async () => {
    expect(configuration['protocols']).toEqual([
      { name: 'Lectern', schemes: ['lectern'], role: 'Viewer' },
    ])
    const { entry, appImage } = await desktopEntry(configuration)
    for (const text of [entry, appImage])
      expect(text).toMatch(/^MimeType=application\/pdf;.*x-scheme-handler\/lectern;/m)
    expect(installer).toContain('"Software\\Classes\\lectern" "URL Protocol" ""')
    expect((configuration['nsis'] as { include: string }).include).toBe('resources/installer.nsh')
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
  /** A minimal binary for fuses: the sentinel of Electron binaries, a version, a count, and a state for each. */
  const program = (states: string): string => {
    const file = programOf(context)
    const wire = Buffer.from([1, states.length, ...Buffer.from(states)])
    const mark = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX')
    writeFileSync(file, Buffer.concat([Buffer.from('ELF…'), mark, wire, Buffer.from('…')]))
    return file
  }

  test('sets every fuse as specified by the policy', async () => {
    const file = program('101100011')
    await afterPack(context)
    const bytes = readFileSync(file)
    const at = bytes.indexOf('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX') + 34
    const wanted = Object.values(fuses)
      .map((on) => (on ? '1' : '0'))
      .join('')
    expect(bytes.subarray(at, at + 9).toString()).toBe(wanted)
  })

  test('refuses an Electron with a new fuse that has no specified value', async () => {
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
