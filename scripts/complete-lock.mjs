import { readFileSync, writeFileSync } from 'node:fs'
import { isMain } from './lib/args.mjs'
import { nameOf, nativeFamilies, withoutIntegrity } from './lib/natives.mjs'
import { at } from './lib/paths.mjs'
import { Problem, say, script } from './lib/say.mjs'

/**
 * Run this after `npm install PACKAGE`. npm omits packages for other systems from the lock file when the configured registry does
 * not have them, and `npm ci` then rejects the lock file everywhere. This adds them again: version and system, without a
 * checksum. A package without a checksum for a system that Lectern is packed for is rejected because it could not be installed
 * there.
 *
 * @typedef {object} Locked
 * @property {string} [version]
 * @property {Record<string, string>} [optionalDependencies]
 * @property {boolean} [dev]
 */

const systems =
  /(android|darwin|freebsd|linux|openharmony|win32)-(arm64|arm|x64|ia32|ppc64|riscv64|s390x)(?:-(gnu|musl|\w+))?$/

/** Target system of a package like `@oxlint/binding-linux-x64-musl`, derived from its name. */
function systemOf(/** @type {string} */ name) {
  const [, os, cpu, kind] = systems.exec(name) ?? []
  if (!os || !cpu)
    throw new Problem(
      `The name of ${name} does not contain its system. Add it to package-lock.json manually.`,
    )
  const libc = { gnu: 'glibc', musl: 'musl' }[kind ?? '']
  return { cpu: [cpu], libc: libc && [libc], os: [os] }
}

/**
 * Returns optional packages that others depend on and that have no entry of their own.
 * @param {Record<string, Locked>} packages
 */
export function missingOptional(packages) {
  return Object.entries(packages).flatMap(([path, lock]) =>
    Object.entries(lock.optionalDependencies ?? {})
      .filter(
        ([name]) => !packages[`${path}/node_modules/${name}`] && !packages[`node_modules/${name}`],
      )
      .map(([name, version]) => ({ name, version, dev: lock.dev === true })),
  )
}

/**
 * Returns the packages of a lock file, completed and in npm's order.
 * @param {Record<string, Locked>} packages
 */
export function complete(packages) {
  const whole = { ...packages }
  for (const { name, version, dev } of missingOptional(packages)) {
    if (!/^\d/.test(version))
      throw new Problem(`${name} is requested as ${version}, which is not a version.`)
    const { cpu, libc, os } = systemOf(name)
    const lock = { version, cpu, ...(dev && { dev }), ...(libc && { libc }), optional: true, os }
    whole[`node_modules/${name}`] = lock
  }
  const entries = Object.entries(whole)
  return Object.fromEntries(entries.toSorted(([a], [b]) => a.localeCompare(b, 'en')))
}

/**
 * Rejects packages that cannot be installed or verified on a system that Lectern is packed for.
 * @param {import('./lib/natives.mjs').LockedPackages} packages
 */
export function refuseIncomplete(packages) {
  const lacking = nativeFamilies(packages).filter(({ lacks }) => lacks.length > 0)
  const unverified = withoutIntegrity(packages)
  if (lacking.length === 0 && unverified.length === 0) return
  throw new Problem(
    [
      ...lacking.map(
        ({ name, lacks }) => `${name} has no package for ${lacks.map(nameOf).join(', ')}.`,
      ),
      ...unverified.map((path) => `${path} has no integrity.`),
    ].join('\n'),
    'Choose a version whose native packages are all in the registry: npm view PACKAGE versions; npm install --save-exact PACKAGE@VERSION',
  )
}

if (isMain(import.meta.url)) {
  await script(async () => {
    const file = at('package-lock.json')
    const lock = JSON.parse(readFileSync(file, 'utf8'))
    refuseIncomplete(lock.packages)
    const count = missingOptional(lock.packages).length
    if (count === 0) return say('package-lock.json is complete.')
    writeFileSync(
      file,
      `${JSON.stringify({ ...lock, packages: complete(lock.packages) }, null, 2)}\n`,
    )
    say(`Added packages for other systems to package-lock.json: ${count}.`)
  })
}
