/**
 * Whether a version like `v22.19.1` is at least `[major, minor]`.
 * @param {string} version
 * @param {readonly [number, number]} least
 */
export function atLeast(version, [major, minor]) {
  const [ours = 0, oursMinor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return ours > major || (ours === major && oursMinor >= minor)
}

/** Minimum Node version of the scripts. */
export const scriptsNeed = /** @type {const} */ ([20, 0])

/** Minimum Node version of the app: better-sqlite3 13 crashes below it, and undici 8 requires it. */
export const appNeeds = /** @type {const} */ ([22, 19])
