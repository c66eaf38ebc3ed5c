/**
 * Whether a version like `v22.19.1` is at least `[major, minor]`.
 * @param {string} version
 * @param {readonly [number, number]} least
 */
export function atLeast(version, [major, minor]) {
  const [ours = 0, oursMinor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return ours > major || (ours === major && oursMinor >= minor)
}

/** What the scripts themselves run on. */
export const scriptsNeed = /** @type {const} */ ([20, 0])

/** What the app runs on: better-sqlite3 13 crashes below it, and undici 8 asks for it. */
export const appNeeds = /** @type {const} */ ([22, 19])
