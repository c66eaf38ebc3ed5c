import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { root, stampFolder } from './paths.mjs'

const stampFile = (/** @type {string} */ name) => join(stampFolder, `${name}.json`)

/**
 * Returns the value saved under this name, or null if there is none or it cannot be read.
 * @param {string} name
 * @returns {any}
 */
export function readStamp(name) {
  try {
    return JSON.parse(readFileSync(stampFile(name), 'utf8'))
  } catch {
    return null
  }
}

/**
 * Saves a value until node_modules is deleted.
 * @param {string} name
 * @param {unknown} value
 */
export function writeStamp(name, value) {
  mkdirSync(stampFolder, { recursive: true })
  writeFileSync(stampFile(name), JSON.stringify(value))
}

/** Deletes the value saved under this name. */
export const clearStamp = (/** @type {string} */ name) => rmSync(stampFile(name), { force: true })

/**
 * Returns every file in these files and folders, sorted, as absolute paths; those that do not exist are omitted.
 * @param {readonly string[]} places
 * @returns {string[]}
 */
export function filesBelow(places) {
  return places
    .filter((place) => existsSync(place))
    .flatMap((place) => {
      if (statSync(place).isFile()) return [place]
      return filesBelow(readdirSync(place).map((name) => join(place, name)))
    })
    .toSorted()
}

/**
 * Returns one hash over the names and contents of everything in these files and folders.
 * @param {readonly string[]} places
 */
export function contentHash(places) {
  const hash = createHash('sha256')
  for (const file of filesBelow(places)) {
    hash.update(`${relative(root, file)}\0`)
    hash.update(createHash('sha256').update(readFileSync(file)).digest())
  }
  return hash.digest('hex')
}
