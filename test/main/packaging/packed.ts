import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from './built.ts'
import { fileFilters, type BuilderConfiguration } from './configuration.ts'

const manifestOf = (folder: string): { dependencies?: object; optionalDependencies?: object } =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Returns the folders of all packages in the dependency tree of package.json, including installed optional ones. */
function packageFolders(): string[] {
  const found = new Set<string>()
  const visit = (folder: string): void => {
    const { dependencies = {}, optionalDependencies = {} } = manifestOf(folder)
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      let place = folder
      while (!existsSync(join(place, 'node_modules', name)) && place !== dirname(place))
        place = dirname(place)
      const target = join(place, 'node_modules', name)
      if (!existsSync(target) || found.has(target)) continue
      found.add(target)
      visit(target)
    }
  }
  visit(root)
  return [...found]
}

const filesBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : []

/** Returns the paths (relative to the project folder) of everything that would be packed into the app, by the real patterns. */
export function packedFiles(
  configuration: BuilderConfiguration,
  platform: 'win' | 'mac' | 'linux',
  arch: string,
): string[] {
  const filters = fileFilters(configuration, platform, arch)
  const own = ['out', 'src', 'test', 'scripts', 'resources', 'bench', 'dist', '.ci']
    .flatMap((folder) => filesBelow(join(root, folder)))
    .concat(readdirSync(root).map((name) => join(root, name)))
    .filter((file) => statSync(file).isFile() && filters.own(file, statSync(file)))
  const packages = packageFolders()
    .flatMap((folder) =>
      filesBelow(folder).filter((file) => !relative(folder, file).startsWith('node_modules')),
    )
    .filter((file) => filters.packages(file, statSync(file)))
  return [...own, ...packages].map((file) => relative(root, file).split('\\').join('/')).toSorted()
}
