import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../deps.ts'

/** Milliseconds for which an unused launch URL is valid. */
export const launchLife = 5 * 60_000

/** Result of a redeemed launch token: the cookie, and the key known only to the tab. */
interface Entry {
  readonly session: string
  readonly key: string
}

/** Access to the host: one-time launch tokens, their sessions and tab keys, and the secret of second launches. */
interface Admission {
  /** Creates a launch token, valid once and for {@link launchLife}. */
  launchToken(): string
  /** Exchanges a launch token for an entry; null if it is unknown, used or expired. */
  redeem(token: string): Entry | null
  /** Returns whether this is a session of this run. */
  knows(session: string): boolean
  /**
   * Returns whether this is a tab key of this run. Not tied to one session: a later entry replaces the cookie of all tabs.
   */
  holds(key: string): boolean
  /** Secret that a second launch on the same data folder must present. */
  readonly secret: string
  isSecret(text: string): boolean
}

const fresh = (): string => randomBytes(32).toString('base64url')
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
/** Compares in constant time. */
const same = (a: Buffer, b: Buffer): boolean => timingSafeEqual(a, b)

function among(hashes: readonly Buffer[], text: string): boolean {
  const hash = digest(text)
  return hashes.some((known) => same(known, hash))
}

/** Stores tokens, sessions and keys in memory as hashes: they end with this process. */
export function createAdmission(clock: Clock): Admission {
  const launches: { readonly hash: Buffer; readonly until: number }[] = []
  const sessions: Buffer[] = []
  const keys: Buffer[] = []
  const secret = fresh()
  const secretHash = digest(secret)
  return {
    secret,
    launchToken() {
      const token = fresh()
      // Only the newest few can still be waiting for a click.
      if (launches.length >= 8) launches.shift()
      launches.push({ hash: digest(token), until: clock() + launchLife })
      return token
    },
    redeem(token) {
      const hash = digest(token)
      const at = launches.findIndex((launch) => same(launch.hash, hash))
      const [launch] = at < 0 ? [] : launches.splice(at, 1)
      if (!launch || launch.until < clock()) return null
      const entry = { session: fresh(), key: fresh() }
      sessions.push(digest(entry.session))
      keys.push(digest(entry.key))
      return entry
    },
    knows: (session) => among(sessions, session),
    holds: (key) => among(keys, key),
    isSecret: (text) => same(digest(text), secretHash),
  }
}
