import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
} from 'node:crypto'
import {
  createReadStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isMain } from './lib/args.mjs'
import { at } from './lib/paths.mjs'
import { Problem, say, script } from './lib/say.mjs'

/**
 * Creates and signs the feeds that installed versions of Lectern request from mirrors. Run it on the release machine, which alone
 * has the key.
 *
 *   node scripts/update-feed.mjs new-key release-key.pem
 *   node scripts/update-feed.mjs make --key release-key.pem --notes notes.md [--notes-zh notes.zh.md]
 *     [--dist dist] [--out dist/feed] [--percent 100] [--days 180] [--minimum-system VERSION]
 *
 * docs/updates.md describes the release process.
 */

const usage = 'node scripts/update-feed.mjs new-key FILE | make --key FILE --notes FILE'
const day = 24 * 60 * 60 * 1000

/** The feed of each package, by the part after `Lectern-VERSION-`; feeds are named as in electron-builder's generic provider. */
const feeds = [
  { name: 'latest.yml', file: /^(?<arch>x64|arm64|ia32)-setup\.exe$/ },
  { name: 'latest-mac.yml', file: /^(?<arch>x64|arm64|universal)\.zip$/ },
  { name: 'latest-linux.yml', file: /^(?<arch>x64|x86_64)\.AppImage$/ },
  { name: 'latest-linux-arm64.yml', file: /^(?<arch>arm64)\.AppImage$/ },
]

/**
 * Returns the packages of one feed, sorted by name. Throws if two are for the same processor, since the choice would be
 * arbitrary.
 * @param {readonly string[]} names
 * @param {string} version
 * @param {RegExp} file
 */
function packagesOf(names, version, file) {
  const before = `Lectern-${version}-`
  const found = new Map()
  for (const name of names.toSorted()) {
    const arch = name.startsWith(before) && file.exec(name.slice(before.length))?.groups?.['arch']
    if (!arch) continue
    const processor = arch === 'x86_64' ? 'x64' : arch
    if (found.has(processor))
      throw new Problem(
        `${found.get(processor)} and ${name} are for the same processor. Keep one of them.`,
      )
    found.set(processor, name)
  }
  return [...found.values()]
}

/**
 * Creates a key pair; an existing file is never replaced. Returns the public key in the format of the app's configuration.
 * @param {string} file
 */
export function newKey(file) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), {
    mode: 0o600,
    flag: 'wx',
  })
  return rawPublicKey(publicKey)
}

const rawPublicKey = (/** @type {import('node:crypto').KeyObject} */ key) =>
  key.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')

/** The signed bytes; src/main/updates/feed.ts checks exactly these. */
const signed = (/** @type {string} */ name, /** @type {Buffer} */ feed) =>
  Buffer.concat([Buffer.from(`lectern update feed 1\n${name}\n`), feed])

/**
 * Writes a feed and its signature for each system that has packages of this version. Returns the names of the feeds.
 * @param {{
 *   version: string, dist: string, out: string, key: string, notes: string, notesZh?: string,
 *   percent?: number, days?: number, minimumSystem?: string, now?: number,
 * }} release
 */
export async function makeFeeds(release) {
  const { version, dist, out, percent = 100, days = 180, now = Date.now() } = release
  const key = createPrivateKey(readFileSync(release.key))
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Problem(`${release.key} is not an Ed25519 key.`)
  const made = []
  mkdirSync(out, { recursive: true })
  const names = readdirSync(dist)
  for (const { name, file } of feeds) {
    const files = []
    for (const url of packagesOf(names, version, file)) {
      const path = join(dist, url)
      files.push({ url, sha512: await sha512(path), size: statSync(path).size })
    }
    if (files.length === 0) continue
    // JSON is YAML.
    const feed = Buffer.from(
      `${JSON.stringify(
        {
          version,
          files,
          releaseDate: new Date(now).toISOString(),
          releaseNotes: readFileSync(release.notes, 'utf8'),
          ...(release.notesZh && { releaseNotesZh: readFileSync(release.notesZh, 'utf8') }),
          stagingPercentage: percent,
          ...(release.minimumSystem && { minimumSystemVersion: release.minimumSystem }),
          issuedAt: new Date(now).toISOString(),
          expires: new Date(now + days * day).toISOString(),
        },
        null,
        2,
      )}\n`,
    )
    writeFileSync(join(out, name), feed)
    writeFileSync(
      join(out, `${name}.sig`),
      `${sign(null, signed(name, feed), key).toString('base64')}\n`,
    )
    made.push(name)
  }
  if (made.length === 0) throw new Problem(`${dist} contains no packages of version ${version}.`)
  return made
}

async function sha512(/** @type {string} */ path) {
  const hash = createHash('sha512')
  for await (const piece of createReadStream(path)) hash.update(piece)
  return hash.digest('base64')
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      key: { type: 'string' },
      notes: { type: 'string' },
      'notes-zh': { type: 'string' },
      'minimum-system': { type: 'string' },
      dist: { type: 'string', default: at('dist') },
      out: { type: 'string', default: at('dist', 'feed') },
      percent: { type: 'string', default: '100' },
      days: { type: 'string', default: '180' },
    },
  })
  const [task, file] = positionals
  if (task === 'new-key' && file) {
    say(
      `The private key is in ${file}. Keep it only on the release machine and in an offline backup.`,
    )
    say(`For "publicKeys" in resources/update-feed.json: ${newKey(file)}`)
    return
  }
  if (task !== 'make' || !values.key || !values.notes)
    throw new Problem('Specify a task: new-key or make.', usage)
  const config = JSON.parse(readFileSync(at('resources', 'update-feed.json'), 'utf8'))
  const publicKey = rawPublicKey(createPublicKey(readFileSync(values.key)))
  if (!config.publicKeys.includes(publicKey))
    throw new Problem(
      'This key is not in resources/update-feed.json.',
      'Installed versions would reject the feed: they accept only keys that they were built with.',
    )
  const { 'notes-zh': notesZh, 'minimum-system': minimumSystem } = values
  const made = await makeFeeds({
    version: JSON.parse(readFileSync(at('package.json'), 'utf8')).version,
    dist: values.dist,
    out: values.out,
    key: values.key,
    notes: values.notes,
    percent: Number(values.percent),
    days: Number(values.days),
    ...(notesZh && { notesZh }),
    ...(minimumSystem && { minimumSystem }),
  })
  say(`Wrote ${made.join(', ')} and their signatures to ${values.out}.`)
  say('Upload the packages to all mirrors first, then the signatures, then the feeds.')
}

if (isMain(import.meta.url)) await script(main)
