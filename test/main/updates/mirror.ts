import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signedBytes } from '../../../src/main/updates/feed.ts'

/** Request received by a mirror. */
export interface MirrorRequest {
  readonly path: string
  readonly headers: IncomingMessage['headers']
}

/** Local mirror: serves files with Range requests, and misbehaves as a test specifies. */
export interface Mirror {
  /** URL of its folder, ends with `/`. */
  readonly url: string
  readonly host: string
  readonly files: Map<string, Buffer>
  readonly requests: MirrorRequest[]
  /** Handles the request instead if it returns true. */
  misbehave: ((name: string, request: IncomingMessage, response: ServerResponse) => boolean) | null
  close(): Promise<void>
}

/** Starts a mirror on a free port of the loopback interface. */
export async function startMirror(): Promise<Mirror> {
  const files = new Map<string, Buffer>()
  const requests: MirrorRequest[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push({ path, headers: request.headers })
    const name = path.slice('/lectern/'.length)
    if (mirror.misbehave?.(name, request, response)) return
    const bytes = files.get(name)
    if (!bytes) return void response.writeHead(404).end('not here')
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const rest = bytes.subarray(from)
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': rest.length,
      ...(from > 0 && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    })
    response.end(rest)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const mirror: Mirror = {
    url: `http://127.0.0.1:${port}/lectern/`,
    host: `127.0.0.1:${port}`,
    files,
    requests,
    misbehave: null,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return mirror
}

export interface ReleaseKey {
  readonly privateKey: KeyObject
  /** Raw, base64. */
  readonly publicKey: string
}

export function releaseKey(): ReleaseKey {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const der = publicKey.export({ format: 'der', type: 'spki' })
  return { privateKey, publicKey: der.subarray(-32).toString('base64') }
}

/** Signs a feed as the release script does. */
export const signature = (name: string, feed: Buffer, { privateKey }: ReleaseKey): Buffer =>
  Buffer.from(`${sign(null, signedBytes(name, feed), privateKey).toString('base64')}\n`)

/** Parts of a release; omitted ones have defaults. */
export interface ReleaseOptions {
  readonly version?: string
  readonly key: ReleaseKey
  /** Other fields of the feed. */
  readonly feed?: Readonly<Record<string, unknown>>
  readonly feedName?: string
  readonly package?: Buffer
}

/** Release as published on mirrors. */
export interface Release {
  readonly version: string
  readonly name: string
  readonly package: Buffer
  readonly files: ReadonlyMap<string, Buffer>
}

const hour = 60 * 60 * 1000

/** Creates a release: a package of random bytes, its feed, and the feed's signature. */
export function makeRelease({ version = '0.2.0', key, ...options }: ReleaseOptions): Release {
  const name = `Lectern-${version}-x86_64.AppImage`
  const bytes = options.package ?? randomBytes(400_000)
  const feedName = options.feedName ?? 'latest-linux.yml'
  const now = Date.now()
  const feed = Buffer.from(
    JSON.stringify({
      version,
      files: [
        {
          url: name,
          sha512: createHash('sha512').update(bytes).digest('base64'),
          size: bytes.length,
        },
      ],
      releaseDate: new Date(now - hour).toISOString(),
      releaseNotes: '- Faster search',
      releaseNotesZh: '- 搜索更快',
      issuedAt: new Date(now - hour).toISOString(),
      expires: new Date(now + 1000 * hour).toISOString(),
      ...options.feed,
    }),
  )
  const files = new Map([
    [feedName, feed],
    [`${feedName}.sig`, signature(feedName, feed, key)],
    [name, bytes],
  ])
  return { version, name, package: bytes, files }
}

/** Publishes a release on mirrors. */
export function publish(release: Release, ...mirrors: readonly Mirror[]): void {
  for (const mirror of mirrors)
    for (const [name, bytes] of release.files) mirror.files.set(name, bytes)
}
