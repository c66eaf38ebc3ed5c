import { readFileSync } from 'node:fs'
import { npm } from './npm.mjs'
import { at } from './paths.mjs'
import { Problem, say } from './say.mjs'

/** @typedef {Record<string, { version?: string, integrity?: string, optional?: boolean, link?: boolean }>} Locked */

/** @returns {Locked | null} */
function lockedPackages(/** @type {string} */ file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? null
  } catch {
    return null
  }
}

/**
 * Returns the first package that is not installed as the lock file specifies. Compares package-lock.json with the list npm writes
 * to node_modules when it has finished, so an interrupted installation counts as none.
 * @param {Locked} wanted
 * @param {Locked | null} installed
 * @returns {string | null} its path in node_modules, or null when everything is in place
 */
export function firstDifference(wanted, installed) {
  if (!installed) return 'node_modules'
  for (const [path, lock] of Object.entries(wanted)) {
    if (path === '') continue
    const there = installed[path]
    if (!there && lock.optional) continue // made for another system
    if (there?.version !== lock.version) return path
    // Packages for other systems may be locked without a checksum (scripts/complete-lock.mjs).
    if (lock.integrity && there?.integrity !== lock.integrity) return path
  }
  return null
}

/** Installs the packages of the lock file unless they are already installed in these versions. */
export async function ensurePackages() {
  const wanted = lockedPackages(at('package-lock.json'))
  if (!wanted) throw new Problem('package-lock.json is missing or damaged.', 'Restore it from git.')
  const difference = firstDifference(
    wanted,
    lockedPackages(at('node_modules', '.package-lock.json')),
  )
  if (!difference) return
  say(
    difference === 'node_modules'
      ? 'Installing the packages from package-lock.json (npm ci). The first time, this takes a minute or two.'
      : `${difference} does not match package-lock.json. Installing the packages again (npm ci).`,
  )
  // No package needs its install script: natives are prebuilt, and Node itself is fetched by ensureRuntime, which
  // can report what is missing where the script would abort the whole installation.
  const { code } = await npm([
    'ci',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
  if (code === 0) return
  throw new Problem(
    `npm ci exited with code ${code}. See its output above.`,
    'Lectern needs to download its packages once from the npm registry. Check the network (or the proxy settings of npm), then try again.',
  )
}
