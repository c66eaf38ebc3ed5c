import { createPublicKey, verify } from 'node:crypto'
import semver from 'semver'
import { updateFeed, type UpdateFeed } from '../../shared/contract/update-feed.ts'
import { UpdateError } from './fault.ts'

/** DER prefix of an Ed25519 public key, up to its 32 bytes (RFC 8410). */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** Returns the feed's name on a mirror, as in electron-builder's generic provider: one per system, on Linux one per processor. */
export function feedName(platform: string, arch: string): string {
  if (platform === 'win32') return 'latest.yml'
  if (platform === 'darwin') return 'latest-mac.yml'
  return arch === 'x64' ? 'latest-linux.yml' : `latest-linux-${arch}.yml`
}

/** Returns the signed bytes: the feed, bound to its name so that one system's feed cannot be served for another's. */
export const signedBytes = (name: string, feed: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`lectern update feed 1\n${name}\n`), feed])

/**
 * Reads a feed and verifies its signature. `signature` is the text of the `.sig` file: one base64 signature per line; one valid
 * signature by any of the keys is enough. Throws `bad-signature` before a byte of the feed is parsed, or `malformed`.
 */
export async function readFeed(
  name: string,
  feed: Uint8Array,
  signature: string,
  publicKeys: readonly string[],
): Promise<UpdateFeed> {
  const signed = signedBytes(name, feed)
  const signatures = signature.split('\n').filter((line) => /^[A-Za-z0-9+/]{86}==\r?$/.test(line))
  const isSigned = publicKeys.some((key) => {
    const publicKey = createPublicKey({
      key: Buffer.concat([spkiPrefix, Buffer.from(key, 'base64')]),
      format: 'der',
      type: 'spki',
    })
    return signatures.some((line) => verify(null, signed, publicKey, Buffer.from(line, 'base64')))
  })
  if (!isSigned) throw new UpdateError('bad-signature', `${name} is not signed by the release key`)
  // Imported here so that reading YAML does not slow the start of Lectern.
  const { parseUpdateInfo } = await import('electron-updater/out/providers/Provider.js')
  const text = Buffer.from(feed).toString('utf8')
  try {
    return updateFeed().parse(
      plain(parseUpdateInfo(text, name, new URL(`https://mirror.invalid/${name}`))),
    )
  } catch (error) {
    throw new UpdateError('malformed', `${name} cannot be read`, error)
  }
}

/** Converts the result to plain JSON, because YAML parses an unquoted time as a Date. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Properties of an installation that decide which update it is offered. */
interface Installation {
  readonly version: string
  readonly platform: string
  readonly arch: string
  /** `os.release()`. */
  readonly systemVersion: string
  /** From 0 to 1, drawn once for this installation and never sent: decides on staged releases. */
  readonly rollout: number
  /** `issuedAt` of the newest feed accepted so far; 0 for none. */
  readonly seenIssue: number
}

/** Package to download: a file below the mirror's folder. */
export type FeedPackage = UpdateFeed['files'][number]

/** Throws `expired` or `replayed` for a feed that does not describe the current release. */
export function assertCurrent(feed: UpdateFeed, seenIssue: number, now: number): void {
  if (feed.issuedAt < seenIssue)
    throw new UpdateError(
      'replayed',
      `Signed ${iso(feed.issuedAt)}, but a feed of ${iso(seenIssue)} was already received`,
    )
  if (feed.expires <= now) throw new UpdateError('expired', `Expired ${iso(feed.expires)}`)
}

/**
 * Returns the package that a current feed offers to an installation; null if it offers none: not newer (never a downgrade), not
 * for this share of installations yet, or for a newer system. Throws `no-package` if the release has none for this system.
 */
export function offeredPackage(feed: UpdateFeed, to: Installation): FeedPackage | null {
  if (!semver.gt(feed.version, to.version)) return null
  if (to.rollout * 100 >= feed.stagingPercentage) return null
  const { minimumSystemVersion: minVersion } = feed
  const [system, needed] = [semver.coerce(to.systemVersion), semver.coerce(minVersion)]
  if (system && needed && semver.lt(system, needed)) return null
  const found = packageFor(feed.files, to)
  if (!found)
    throw new UpdateError(
      'no-package',
      `${feed.version} has no package for ${to.platform} ${to.arch}`,
    )
  return found
}

const extensions: Readonly<Record<string, string>> = {
  win32: '.exe',
  darwin: '.zip',
  linux: '.AppImage',
}

/** Returns the file for a system: by its extension, and by its processor if the names contain it. */
function packageFor(
  files: readonly FeedPackage[],
  { platform, arch }: Pick<Installation, 'platform' | 'arch'>,
): FeedPackage | undefined {
  const fitting = files.filter(({ url }) => url.endsWith(extensions[platform] ?? '\0'))
  const names = arch === 'x64' ? /[-_.](x64|x86_64|amd64)[-_.]/ : new RegExp(`[-_.]${arch}[-_.]`)
  const others = /[-_.](x64|x86_64|amd64|arm64|armv7l|ia32)[-_.]/
  return fitting.find(({ url }) => names.test(url)) ?? fitting.find(({ url }) => !others.test(url))
}

const iso = (ms: number): string => new Date(ms).toISOString()
