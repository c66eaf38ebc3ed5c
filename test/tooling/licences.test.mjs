// @ts-check
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { billFile, libraries, writeBill } from '../../scripts/licences.mjs'
import { at } from '../../scripts/lib/paths.mjs'

/**
 * Licenses that allow everyone to distribute the software; the LGPL only for separate files that can be replaced.
 */
const fine =
  /^(MIT(-0)?|ISC|0BSD|BSD|BSD-\d-Clause|Apache-2\.0|MPL-2\.0|Unlicense|CC0-1\.0|BlueOak-1\.0\.0|Python-2\.0|PSF-2\.0|Zlib|WTFPL)$/
/** @type {ReadonlySet<string>} */
const ownFiles = new Set([
  '@libav.js/variant-fat',
  'wasm-media-encoders',
  'mpg123-decoder',
  'libheif-js',
])

test('ships nothing under a license that would bind distributors', () => {
  const strange = libraries().filter(({ name, licence, text }) => {
    if (ownFiles.has(name)) return false
    if (licence === 'see text') return !/MIT License|ISC License/i.test(text)
    const parts = licence.replaceAll(/[()]/g, '').split(/ OR /i)
    return !parts.some((part) => part.split(/ AND /i).every((one) => fine.test(one.trim())))
  })
  expect(strange.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([])
})

test('lists every shipped package with its hash in the bill of materials, no build tools', async () => {
  await writeBill()
  const bill = JSON.parse(readFileSync(billFile, 'utf8'))
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'lectern' } },
  })
  /** @type {readonly { type: string, name: string, version?: string, hashes?: readonly object[] }[]} */
  const components = bill.components
  const names = new Set(components.map(({ name, version }) => `${name}@${version}`))
  expect(libraries().filter(({ name, version }) => !names.has(`${name}@${version}`))).toEqual([])
  expect(components.filter(({ hashes }) => !hashes?.length)).toEqual([])
  expect(components.some(({ name }) => name === 'electron')).toBe(true)
  expect(components.some(({ type }) => type === 'machine-learning-model')).toBe(true)
  expect(components.some(({ name }) => ['vitest', 'electron-builder'].includes(name))).toBe(false)
}, 120_000)

/** Packages whose install script is not run, and why Lectern works without it. @type {Readonly<Record<string, string>>} */
const withoutScript = {
  'electron-winstaller': 'copies a 7-Zip for Squirrel, which is not built',
  node: 'downloads Node, which ensureRuntime does with a checked sum',
  protobufjs: 'prints a warning about version ranges',
}

test('runs no install script of a package, and knows each package that has one', () => {
  expect(readFileSync(at('.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m)
  const { packages } = JSON.parse(readFileSync(at('package-lock.json'), 'utf8'))
  const scripted = Object.keys(packages)
    .filter((path) => packages[path].hasInstallScript)
    .map((path) => path.replace(/^.*node_modules\//, ''))
  expect(scripted.toSorted()).toEqual(Object.keys(withoutScript).toSorted())
})
