import semver from 'semver'
import type { UpdateFeed } from '../../shared/contract/update-feed.ts'
import type { UpdateFault } from '../../shared/model/updates.ts'
import { assertCurrent, readFeed } from './feed.ts'
import { UpdateError } from './fault.ts'
import type { MirrorGet } from './transfer.ts'

/** Maximum bytes of a feed, and of a signature file. */
const feedMax = 256 * 1024
const signatureMax = 4096

interface MirrorDeps {
  readonly mirrors: readonly string[]
  readonly publicKeys: readonly string[]
  /** Name of the feed, such as `latest-linux.yml`. */
  readonly name: string
  readonly seenIssue: number
  readonly get: MirrorGet
  readonly clock: () => number
  readonly signal: AbortSignal
  /** Milliseconds for feed and signature of one mirror. */
  readonly timeoutMs: number
  /** Milliseconds that the others have after the first valid response, so that a stale mirror does not win by speed. */
  readonly graceMs: number
}

/** Newest correctly signed feed, and its download mirrors. */
interface FoundFeed {
  readonly feed: UpdateFeed
  /** Mirrors in the order to try: those that serve this feed by response time, then those that did not respond. */
  readonly mirrors: readonly string[]
  /** Response time of each mirror in milliseconds, for the log; null if it returned no valid feed. */
  readonly reach: readonly { readonly mirror: string; readonly ms: number | null }[]
}

type Answer =
  | { readonly mirror: string; readonly ms: number; readonly feed: UpdateFeed }
  | { readonly mirror: string; readonly error: UpdateError }

/** Order in which failures are reported if no mirror returned a valid feed: the most informative first. */
const bySeverity: readonly UpdateFault[] = [
  'bad-signature',
  'replayed',
  'expired',
  'malformed',
  'not-a-feed',
  'offline',
]

/**
 * Requests the feed from all mirrors in parallel and measures them. Throws an {@link UpdateError} if none is signed and current.
 */
export async function findFeed(deps: MirrorDeps): Promise<FoundFeed> {
  const answers: Answer[] = []
  const stop = new AbortController()
  const signal = AbortSignal.any([deps.signal, stop.signal, AbortSignal.timeout(deps.timeoutMs)])
  const requests = deps.mirrors.map(async (mirror) => {
    const answer = await ask(mirror, { ...deps, signal })
    answers.push(answer)
    if ('error' in answer) throw answer.error
  })
  const all = Promise.allSettled(requests)
  let timer: ReturnType<typeof setTimeout> | undefined
  await Promise.any(requests).then(
    () => Promise.race([all, new Promise((done) => (timer = setTimeout(done, deps.graceMs)))]),
    () => {},
  )
  clearTimeout(timer)
  stop.abort()
  deps.signal.throwIfAborted()
  return newest(answers, deps.mirrors)
}

function newest(answers: readonly Answer[], mirrors: readonly string[]): FoundFeed {
  const good = answers.flatMap((answer) => ('feed' in answer ? [answer] : []))
  const [best] = good.toSorted(
    (a, b) => b.feed.issuedAt - a.feed.issuedAt || semver.rcompare(a.feed.version, b.feed.version),
  )
  if (!best) throw worst(answers)
  const same = good
    .filter(({ feed }) => feed.version === best.feed.version)
    .toSorted((a, b) => a.ms - b.ms)
    .map(({ mirror }) => mirror)
  const silent = mirrors.filter((mirror) => {
    const answer = answers.find((each) => each.mirror === mirror)
    return !answer || ('error' in answer && answer.error.fault === 'offline')
  })
  return {
    feed: best.feed,
    mirrors: [...same, ...silent],
    reach: mirrors.map((mirror) => ({
      mirror,
      ms: good.find((each) => each.mirror === mirror)?.ms ?? null,
    })),
  }
}

function worst(answers: readonly Answer[]): UpdateError {
  const errors = answers.flatMap((answer) => ('error' in answer ? [answer.error] : []))
  const messages = errors.map(({ message }) => message).join('; ')
  const fault = bySeverity.find((each) => errors.some((error) => error.fault === each)) ?? 'offline'
  return new UpdateError(fault, messages || 'No mirror responded')
}

async function ask(mirror: string, deps: MirrorDeps): Promise<Answer> {
  const began = deps.clock()
  const { host } = new URL(mirror)
  try {
    const [feed, signature] = await Promise.all([
      fetchSmall(deps, mirror + deps.name, feedMax),
      fetchSmall(deps, `${mirror}${deps.name}.sig`, signatureMax),
    ])
    const ms = deps.clock() - began
    const read = await readFeed(deps.name, feed, signature.toString('utf8'), deps.publicKeys)
    assertCurrent(read, deps.seenIssue, deps.clock())
    return { mirror, ms, feed: read }
  } catch (error) {
    if (!(error instanceof UpdateError))
      return { mirror, error: new UpdateError('offline', `${host}: no response in time`, error) }
    const message = error.message.startsWith(host) ? error.message : `${host}: ${error.message}`
    return { mirror, error: new UpdateError(error.fault, message, error) }
  }
}

/** Fetches a small file. Throws `not-a-feed` if there is none or it is too large. */
async function fetchSmall({ get, signal }: MirrorDeps, url: string, max: number): Promise<Buffer> {
  const reply = await get(url, { signal })
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    if (reply.status >= 500) throw new UpdateError('offline', `status ${reply.status}`)
    if (reply.status !== 200) throw new UpdateError('not-a-feed', `status ${reply.status}`)
    for await (const chunk of reply.body) {
      bytes += chunk.byteLength
      if (bytes > max) throw new UpdateError('not-a-feed', `more than ${max} bytes`)
      chunks.push(chunk)
    }
  } finally {
    reply.discard()
  }
  const all = Buffer.concat(chunks)
  // The sign-in page of a network is returned for every URL.
  if (/^\s*<(!doctype|html|head|body)/i.test(all.toString('utf8', 0, 200)))
    throw new UpdateError('not-a-feed', 'a web page instead of a feed')
  return all
}
