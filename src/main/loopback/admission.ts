import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../deps.ts'

/** Milliseconds an unused launch address stays good. */
export const launchLife = 5 * 60_000

/** What a redeemed launch token gives: the cookie, and what only the tab itself knows. */
export interface Entry {
  readonly session: string
  readonly key: string
}

/** Who may come in: one-time launch tokens, the sessions and tab keys made from them, and the secret of second launches. */
export interface Admission {
  /** A fresh launch token: good once, for {@link launchLife}. */
  launchToken(): string
  /** Trades a launch token for an entry; null when it is unknown, used or old. */
  redeem(token: string): Entry | null
  /** Whether this is a session of this run. */
  knows(session: string): boolean
  /** Whether this is a tab's key of this run. Not tied to one session: a later entry replaces the cookie of all tabs. */
  holds(key: string): boolean
  /** What a second launch on the same data folder must show. */
  readonly secret: string
  isSecret(text: string): boolean
}

const fresh = (): string => randomBytes(32).toString('base64url')
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
/** Compares without telling by its time how much was right. */
const same = (a: Buffer, b: Buffer): boolean => timingSafeEqual(a, b)

function among(hashes: readonly Buffer[], text: string): boolean {
  const hash = digest(text)
  return hashes.some((known) => same(known, hash))
}

/** Keeps tokens, sessions and keys in memory as hashes: they end with this process. */
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
      // Only the newest few can be waiting for their click.
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
