// @ts-check
import { expect, test } from 'vitest'
import { libraries } from '../../scripts/licences.mjs'

/** Licences that let everybody ship what is under them; the lesser general one only for files of their own, which can be replaced. */
const fine =
  /^(MIT(-0)?|ISC|0BSD|BSD|BSD-\d-Clause|Apache-2\.0|MPL-2\.0|Unlicense|CC0-1\.0|BlueOak-1\.0\.0|Python-2\.0|PSF-2\.0|Zlib|WTFPL)$/
/** @type {ReadonlySet<string>} */
const ownFiles = new Set([
  '@libav.js/variant-fat',
  'wasm-media-encoders',
  'mpg123-decoder',
  'libheif-js',
])

test('nothing is shipped under a licence that would bind who ships it', () => {
  const strange = libraries().filter(({ name, licence, text }) => {
    if (ownFiles.has(name)) return false
    if (licence === 'see text') return !/MIT License|ISC License/i.test(text)
    const parts = licence.replaceAll(/[()]/g, '').split(/ OR /i)
    return !parts.some((part) => part.split(/ AND /i).every((one) => fine.test(one.trim())))
  })
  expect(strange.map(({ name, licence }) => `${name}: ${licence}`)).toEqual([])
})
