/**
 * @typedef {object} LockedPackage an entry of package-lock.json
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [dev]
 * @property {boolean} [link]
 * @property {readonly string[]} [os]
 * @property {readonly string[]} [cpu]
 * @property {readonly string[]} [libc]
 * @property {Record<string, string>} [optionalDependencies]
 *
 * @typedef {Readonly<Record<string, LockedPackage>>} LockedPackages by path, as `packages` of package-lock.json
 * @typedef {{ readonly platform: string, readonly arch: string }} System `process.platform` and `process.arch`; Linux means glibc
 */

/** The systems that Lectern is packed for. @type {readonly System[]} */
export const packedSystems = ['win32', 'darwin', 'linux'].flatMap((platform) =>
  ['x64', 'arm64'].map((arch) => ({ platform, arch })),
)

/** A system as users write it: `darwin arm64`. */
export const nameOf = (/** @type {System} */ { platform, arch }) => `${platform} ${arch}`

/**
 * Whether a package is limited to some systems.
 * @param {LockedPackage | undefined} lock
 * @returns {lock is LockedPackage}
 */
const isNative = (lock) => lock?.os !== undefined || lock?.cpu !== undefined

/**
 * Whether a package can be used on a system.
 * @param {LockedPackage} lock
 * @param {System} system
 */
export const isFor = (lock, { platform, arch }) =>
  (lock.os?.includes(platform) ?? true) &&
  (lock.cpu?.includes(arch) ?? true) &&
  (lock.libc?.includes('glibc') ?? true)

/** The package name at the end of a path in the lock file. */
const packageName = (/** @type {string} */ path) => path.split('node_modules/').at(-1) ?? path

/**
 * Returns the native packages of the product on a system, without build tools.
 * @param {LockedPackages} packages
 * @param {System} system
 */
export const nativesFor = (packages, system) =>
  Object.entries(packages)
    .filter(([, lock]) => isNative(lock) && !lock.dev && isFor(lock, system))
    .map(([path, { version = '' }]) => ({ path, name: packageName(path), version }))

/**
 * Returns packages that have one native package for each system (`@napi-rs/canvas`, `rolldown`), and the packed systems without a
 * package that npm could verify and install. A single optional native package is an extra, not a family.
 * @param {LockedPackages} packages
 * @returns {{ name: string, lacks: readonly System[] }[]}
 */
export function nativeFamilies(packages) {
  return Object.entries(packages).flatMap(([path, lock]) => {
    const members = Object.keys(lock.optionalDependencies ?? {})
      .map((name) => packages[`${path}/node_modules/${name}`] ?? packages[`node_modules/${name}`])
      .filter((member) => isNative(member))
    if (members.length < 2) return []
    const lacks = packedSystems.filter(
      (system) => !members.some((member) => member.integrity && isFor(member, system)),
    )
    return [{ name: `${packageName(path)}@${lock.version}`, lacks }]
  })
}

/**
 * Returns entries that npm could not verify although a packed system installs them.
 * @param {LockedPackages} packages
 */
export const withoutIntegrity = (packages) =>
  Object.entries(packages)
    .filter(([path, lock]) => path !== '' && !lock.link && !lock.integrity)
    .filter(([, lock]) => packedSystems.some((system) => isFor(lock, system)))
    .map(([path]) => path)
