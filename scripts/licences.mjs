import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isMain } from './lib/args.mjs'
import { npm } from './lib/npm.mjs'
import { at } from './lib/paths.mjs'
import { Problem, say, script } from './lib/say.mjs'

/** @typedef {{ name: string, version: string, licence: string, text: string }} Library */

/** File to which the list is written and from which it is packed. */
export const licensesFile = at('out', 'licences.md')

/** File to which the bill of materials is written and from which it is packed. */
export const billFile = at('out', 'sbom.cdx.json')

const read = (/** @type {string} */ folder) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** Names of packages that are packed, and that the sources import; build and test tools are excluded. */
function imported() {
  const manifest = read(at())
  // Some are loaded by a name that no import shows: everything packed next to the program counts.
  /** @type {Set<string>} */
  const names = new Set(Object.keys(manifest.dependencies))
  for (const entry of readdirSync(at('src'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(ts|vue)$/.test(entry.name)) continue
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8')
    for (const [, name = ''] of text.matchAll(
      /(?:from|import)\s*\(?\s*['"]((?:@[\w.-]+\/)?[\w][\w.-]*)/g,
    ))
      names.add(name)
  }
  const known = { ...manifest.dependencies, ...manifest.devDependencies }
  return [...names].filter((name) => name in known && name !== 'electron')
}

/** The folder of a package resolved from another one, as Node resolves it. */
function folderOf(/** @type {string} */ name, /** @type {string} */ from) {
  for (let place = from; ; place = dirname(place)) {
    const folder = join(place, 'node_modules', name)
    if (existsSync(join(folder, 'package.json'))) return folder
    if (place === dirname(place)) return null
  }
}

/**
 * License texts that packages omit: of code compiled into their WebAssembly. @type {Readonly<Record<string, readonly string[]>>}
 */
const added = {
  '@libav.js/variant-fat': ['lgpl-2.1.txt'],
  'wasm-media-encoders': ['lgpl-2.txt'],
  // The lesser license is the general one with additional permissions, and refers to it.
  'libheif-js': ['gpl-3.txt'],
}
const textOf = (/** @type {string} */ name) =>
  readFileSync(at('resources', 'licences', name), 'utf8').trim()

/** Required by their manifests, and excluded from the bundle by build.targets.ts. */
const leftOut = new Set(['elkjs'])

/** Every library that is bundled or packed, with its transitive dependencies. */
export function libraries() {
  /** @type {Map<string, Library>} */
  const found = new Map()
  const visit = (/** @type {string} */ name, /** @type {string} */ from) => {
    const folder = folderOf(name, from)
    if (!folder || leftOut.has(name)) return
    const manifest = read(folder)
    const key = `${name}@${manifest.version}`
    if (found.has(key) || name.startsWith('@types/')) return
    const textIn = (/** @type {RegExp} */ pattern) => {
      const file = readdirSync(folder).find((entry) => pattern.test(entry))
      return file ? readFileSync(join(folder, file), 'utf8').trim() : ''
    }
    // Some packages have it only as the last section of their README.
    const own =
      textIn(/^(licen[cs]e|copying)/i) ||
      (/^#+ *licen[cs]e[^]*/im.exec(textIn(/^readme/i))?.[0] ?? '')
    const text = [own, ...(added[name] ?? []).map(textOf)].filter(Boolean).join('\n\n')
    const licence = manifest.license?.type ?? manifest.license ?? 'see text'
    found.set(key, { name, version: manifest.version, licence, text })
    for (const needed of Object.keys(manifest.dependencies ?? {})) visit(needed, folder)
  }
  for (const name of imported()) visit(name, at())
  return [...found.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

/** Writes the list with every license text, and returns the number of libraries in it. */
export async function writeLicenses() {
  const { models } = await import('./models.mjs')
  const all = libraries()
  const lines = [
    '# Licenses',
    '',
    'Lectern is available under the MIT license. It contains Electron, whose licenses are in LICENSE.electron.txt and LICENSES.chromium.html, and these libraries:',
    '',
    ...all.map(({ name, version, licence }) => `- ${name} ${version}: ${licence}`),
    '',
    'and these models:',
    '',
    ...models.map(({ title, licence, source }) => `- ${title}: ${licence}, ${source}`),
    '',
    ...all.flatMap(({ name, version, text }) =>
      text === ''
        ? []
        : [`## ${name} ${version}`, '', '```', text.replaceAll('```', "'''"), '```', ''],
    ),
  ]
  mkdirSync(dirname(licensesFile), { recursive: true })
  writeFileSync(licensesFile, lines.join('\n'))
  return all.length
}

/**
 * Writes the software bill of materials (CycloneDX): every library that is shipped, Electron and the models, each with its checksum.
 * Build and test tools are not in it.
 * @returns {Promise<number>} how many components it lists
 */
export async function writeBill() {
  const { code, output } = await npm(
    ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--loglevel=silent'],
    { capture: true, cwd: at() },
  )
  const start = output.indexOf('{')
  if (code !== 0 || start < 0)
    throw new Problem(`npm sbom exited with code ${code}.`, 'It needs npm 10 or later.')
  const bill = JSON.parse(output.slice(start, output.lastIndexOf('}') + 1))
  const { models } = await import('./models.mjs')
  const shipped = new Set(libraries().map(({ name, version }) => `${name}@${version}`))
  /** @type {readonly Record<string, unknown>[]} */
  const packages = bill.components
    .filter((/** @type {Record<string, string>} */ { 'bom-ref': ref, name = '' }) => {
      return shipped.has(ref?.replace(/^.*\|/, '') ?? '') || name === 'electron'
    })
    // All of them are shipped, whatever scope npm reports.
    .map((/** @type {Record<string, unknown>} */ component) => {
      const { scope: _scope, properties: _properties, ...rest } = component
      return rest
    })
  const components = [
    ...packages,
    ...models.flatMap(({ title, licence, source, files }) =>
      files.map(({ name, sha256 }) => ({
        type: 'machine-learning-model',
        name: `${title}: ${name}`,
        licenses: [{ license: { name: licence } }],
        externalReferences: [{ type: 'distribution', url: source }],
        hashes: [{ alg: 'SHA-256', content: sha256 }],
      })),
    ),
  ]
  const named = new Set(packages.map((component) => component['bom-ref']))
  const dependencies = bill.dependencies
    .filter((/** @type {{ ref: string }} */ { ref }) => named.has(ref))
    .map((/** @type {{ ref: string, dependsOn: readonly string[] }} */ { ref, dependsOn }) => ({
      ref,
      dependsOn: dependsOn.filter((each) => named.has(each)),
    }))
  bill.metadata.component.name = 'lectern'
  mkdirSync(dirname(billFile), { recursive: true })
  writeFileSync(billFile, JSON.stringify({ ...bill, components, dependencies }, null, 1))
  return components.length
}

if (isMain(import.meta.url)) {
  await script(async () => {
    say(`${licensesFile} names ${await writeLicenses()} libraries.`)
    say(`${billFile} names ${await writeBill()} components.`)
  })
}
