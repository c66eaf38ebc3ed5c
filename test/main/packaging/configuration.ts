import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './built.ts'

/** Part of the configuration for one system. */
export interface PlatformPart {
  readonly files?: readonly string[]
  readonly target: unknown
  readonly icon: string
  readonly [more: string]: unknown
}

/** electron-builder.yml as far as the tests read it. */
export interface BuilderConfiguration {
  readonly files: readonly string[]
  readonly asarUnpack: readonly string[]
  readonly extraResources: readonly { readonly from: string; readonly to: string }[]
  readonly win: PlatformPart
  readonly mac: PlatformPart
  readonly linux: PlatformPart
  readonly publish: unknown
  readonly afterPack: string
  readonly [more: string]: unknown
}

/** Loads modules that electron-builder itself uses, from its own dependencies. */
const builderRequire = createRequire(join(root, 'node_modules/app-builder-lib/package.json'))

/** Reads electron-builder.yml with electron-builder's own parser. */
export function readConfiguration(): BuilderConfiguration {
  const yaml: { load(text: string): unknown } = builderRequire('js-yaml')
  return yaml.load(readFileSync(join(root, 'electron-builder.yml'), 'utf8')) as BuilderConfiguration
}

/** electron-builder's own validation of a configuration; rejects with its message. */
export function validate(configuration: unknown): Promise<void> {
  const { validateConfiguration } = builderRequire('./out/util/config/config.js') as {
    validateConfiguration(config: unknown, logger: { isEnabled: boolean }): Promise<void>
  }
  return validateConfiguration(configuration, { isEnabled: false })
}

interface Matcher {
  createFilter(): (
    file: string,
    stat: { isDirectory(): boolean; isFile(): boolean; moduleName?: string },
  ) => boolean
}

/** The two filters that electron-builder creates from the `files` patterns: for the app's own files, and for packed packages. */
export function fileFilters(
  configuration: BuilderConfiguration,
  platform: 'win' | 'mac' | 'linux',
  arch: string,
): {
  readonly own: ReturnType<Matcher['createFilter']>
  readonly packages: ReturnType<Matcher['createFilter']>
} {
  const { getMainFileMatchers, getNodeModuleFileMatcher } = builderRequire(
    './out/fileMatcher.js',
  ) as {
    getMainFileMatchers(...args: unknown[]): Matcher[]
    getNodeModuleFileMatcher(...args: unknown[]): Matcher
  }
  const expand = (pattern: string): string => pattern.replaceAll('${arch}', arch)
  const packager = {
    config: configuration,
    projectDir: root,
    buildResourcesDir: 'resources',
    debugLogger: { isEnabled: false },
    isPrepackedAppAsar: false,
  }
  const part = configuration[platform]
  const [own] = getMainFileMatchers(
    root,
    root,
    expand,
    part,
    { info: packager },
    join(root, 'dist'),
    false,
  )
  if (!own) throw new Error('electron-builder made no matcher')
  const packages = getNodeModuleFileMatcher(root, root, expand, part, packager)
  return { own: own.createFilter(), packages: packages.createFilter() }
}

/** Filter of the `asarUnpack` patterns, as matched by electron-builder. */
export function unpackFilter(patterns: readonly string[]): (path: string) => boolean {
  const { Minimatch } = builderRequire('minimatch') as {
    Minimatch: new (pattern: string, options: object) => { match(path: string): boolean }
  }
  const matchers = patterns.map((pattern) => new Minimatch(pattern, { dot: true }))
  return (path) => matchers.some((matcher) => matcher.match(path))
}

/** Returns the .desktop files that electron-builder writes for a deb and an AppImage, and their name without the extension. */
export async function desktopEntry(
  given: BuilderConfiguration,
): Promise<{ readonly name: string; readonly entry: string; readonly appImage: string }> {
  // electron-builder modifies the lists that it is given.
  const configuration = structuredClone(given)
  const { LinuxTargetHelper } = builderRequire('./out/targets/LinuxTargetHelper.js') as {
    LinuxTargetHelper: new (packager: object) => {
      getDesktopFileName(): string
      computeDesktopEntry(options: object): Promise<string>
    }
  }
  const { default: AppImageTarget } = builderRequire(
    './out/targets/appimage/AppImageTarget.js',
  ) as {
    default: new (...parts: readonly unknown[]) => {
      readonly desktopEntry: { readonly value: Promise<string> }
    }
  }
  const metadata = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { fileAssociations = [] } = configuration as { fileAssociations?: object[] }
  const packager = {
    config: configuration,
    platformSpecificBuildOptions: configuration.linux,
    info: { metadata },
    appInfo: { productName: 'Lectern', sanitizedProductName: 'Lectern', description: '' },
    executableName: configuration.linux['executableName'],
    fileAssociations,
  }
  const helper = new LinuxTargetHelper(packager)
  return {
    name: helper.getDesktopFileName(),
    entry: await helper.computeDesktopEntry(configuration.linux),
    appImage: await new AppImageTarget('appImage', packager, helper, '').desktopEntry.value,
  }
}
