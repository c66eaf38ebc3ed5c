import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { discard, moveFile, removal } from '../../system/file-moves.ts'
import type { FeedPackage } from './feed.ts'
import { isDiskFull, UpdateError } from './fault.ts'
import { reasonOf, type MirrorGet } from './transfer.ts'

/** Timeouts and limits of a download, in milliseconds and bytes. */
export interface DownloadLimits {
  /** Time without a byte after which a transfer has stalled. */
  readonly idleMs: number
  /** Time window for measuring the speed. */
  readonly windowMs: number
  /** Bytes per second below which another mirror is tried, unless it is known to be no faster. */
  readonly slowBytesPerSecond: number
  /** Increasing pause before a mirror is tried again after it sent nothing. */
  readonly pauseMs: number
  /** Milliseconds between two progress reports. */
  readonly reportMs: number
}

/** Limits used by the app. */
export const downloadLimits: DownloadLimits = {
  idleMs: 20_000,
  windowMs: 10_000,
  slowBytesPerSecond: 32 * 1024,
  pauseMs: 1000,
  reportMs: 250,
}

/** Consecutive attempts without new data, per mirror, after which a download has stalled. */
const fruitlessPerMirror = 2
/** Bytes that must be free beyond the package: installing needs a second copy if the disk does not support links. */
const spareBytes = 64 * 1024 * 1024

export interface DownloadProgress {
  readonly bytes: number
  readonly bytesPerSecond: number
  /** Host of the mirror in use. */
  readonly mirror: string
}

interface DownloadDeps {
  /** Mirrors in the order to try. */
  readonly mirrors: readonly string[]
  readonly file: FeedPackage
  /** Path of the package; the data received so far is in `<target>.part`. */
  readonly target: string
  readonly get: MirrorGet
  readonly clock: () => number
  readonly signal: AbortSignal
  readonly limits: DownloadLimits
  onProgress(progress: DownloadProgress): void
  /** Writes an event to the log. */
  note(message: string, fields: Readonly<Record<string, unknown>>): void
}

/** Mirror in one download. */
interface Source {
  readonly url: string
  readonly host: string
  /** Last measured speed in bytes per second. */
  pace: number | null
  /** Reason why it is no longer tried. */
  out: UpdateError | null
}

/**
 * Downloads a package until its size and SHA-512 match the signed feed; resumes a partial file, and switches mirrors when one
 * stalls, is slow, ends early or serves something else. Throws an {@link UpdateError} (`stalled`, `wrong-size`, `wrong-hash`,
 * `disk-full`) or the signal's reason. Bytes that may be correct stay in the part file; wrong ones are deleted.
 */
export async function downloadPackage(deps: DownloadDeps): Promise<void> {
  const { file, target, signal, note } = deps
  if (await isPackage(target, file)) return
  await assertFreeSpace(deps)
  const part = `${target}.part`
  const sources = deps.mirrors.map((mirror): Source => ({
    url: mirror + file.url,
    host: new URL(mirror).host,
    pace: null,
    out: null,
  }))
  // Mirrors that contributed to the part file: a wrong checksum counts against one only if it was the only one.
  let givers = new Set<string>((await bytesOf(part)) > 0 ? ['earlier'] : [])
  let alone: Source | null = null
  for (;;) {
    await fetchAll(deps, part, alone ? [alone] : sources, givers)
    if (await isPackage(part, file)) break
    signal.throwIfAborted()
    await rm(part, removal)
    const [giver] = givers
    const culprit = givers.size === 1 ? sources.find(({ host }) => host === giver) : undefined
    note('A downloaded package has a wrong checksum', { from: [...givers] })
    if (culprit)
      culprit.out = new UpdateError('wrong-hash', `${culprit.host}: not the signed package`)
    alone = sources.find(({ out }) => out === null) ?? null
    if (!alone) throw outcome(sources)
    givers = new Set()
  }
  await moveFile(part, target)
}

/** Downloads until the part file has the size of the package. */
async function fetchAll(
  deps: DownloadDeps,
  part: string,
  sources: readonly Source[],
  givers: Set<string>,
): Promise<void> {
  const { file, signal, limits, note } = deps
  let maxReceived = await bytesOf(part)
  if (maxReceived > file.size) {
    await rm(part, removal)
    maxReceived = 0
  }
  let current: Source | undefined
  for (let fruitless = 0; (await bytesOf(part)) < file.size;) {
    const left = sources.filter(({ out }) => out === null)
    current = next(left, current)
    if (!current) throw outcome(sources)
    if (fruitless >= left.length * fruitlessPerMirror)
      throw new UpdateError(
        'stalled',
        `${left.map(({ host }) => host).join(', ')}: no data received`,
      )
    try {
      await fetchFrom(deps, part, current, left, givers)
    } catch (error) {
      signal.throwIfAborted()
      if (isDiskFull(error)) {
        await rm(part, removal)
        throw new UpdateError('disk-full', 'Not enough disk space for the package', error)
      }
      const isFinal = error instanceof UpdateError && error.fault === 'wrong-size'
      if (isFinal) current.out = error
      note('A download ended early', { host: current.host, why: reasonText(error) })
    }
    const bytes = await bytesOf(part)
    fruitless = bytes > maxReceived ? 0 : fruitless + 1
    maxReceived = Math.max(maxReceived, bytes)
    if (fruitless > 0) await pause(limits.pauseMs * fruitless, signal)
  }
}

/** Returns the mirror to try after `last`: the next one, or the fastest if all were measured. */
function next(left: readonly Source[], last: Source | undefined): Source | undefined {
  if (!last) return left[0]
  const others = left.filter((each) => each !== last)
  const unmeasured = others.find(({ pace }) => pace === null)
  if (unmeasured) return unmeasured
  return left.toSorted((a, b) => (b.pace ?? 0) - (a.pace ?? 0))[0]
}

/** Runs one transfer: appends to the part file until the body ends, stalls or is too slow. */
async function fetchFrom(
  { file, get, clock, signal, limits, onProgress }: DownloadDeps,
  part: string,
  source: Source,
  left: readonly Source[],
  givers: Set<string>,
): Promise<void> {
  const idle = new AbortController()
  const ends = AbortSignal.any([signal, idle.signal])
  const offset = await bytesOf(part)
  let timer = setTimeout(() => idle.abort(), limits.idleMs)
  const began = clock()
  let since = began
  let counted = 0
  let fresh = 0
  let reported = 0
  try {
    const reply = await get(source.url, { signal: ends, offset })
    const resumed = reply.status === 206 && reply.range?.start === offset
    if (!resumed && reply.status !== 200) {
      reply.discard()
      throw new UpdateError('stalled', `${source.host}: status ${reply.status}`)
    }
    const total = resumed ? reply.range?.total : reply.length
    if (total !== null && total !== undefined && total !== file.size) {
      reply.discard()
      throw new UpdateError('wrong-size', `${source.host}: ${total} bytes, not ${file.size}`)
    }
    // A mirror that does not resume sends everything again.
    if (!resumed) givers.clear()
    givers.add(source.host)
    const out = await open(part, resumed ? 'a' : 'w', 0o600)
    let bytes = resumed ? offset : 0
    let isWrong = false
    try {
      for await (const chunk of reply.body) {
        clearTimeout(timer)
        timer = setTimeout(() => idle.abort(), limits.idleMs)
        bytes += chunk.byteLength
        if (bytes > file.size) {
          isWrong = true
          throw new UpdateError('wrong-size', `${source.host}: more than ${file.size} bytes`)
        }
        await out.writeFile(chunk)
        fresh += chunk.byteLength
        const now = clock()
        if (now - reported >= limits.reportMs) {
          reported = now
          const ms = Math.max(1, now - since)
          const pace = source.pace ?? ((fresh - counted) / ms) * 1000
          onProgress({ bytes, bytesPerSecond: Math.round(pace), mirror: source.host })
        }
        if (now - since < limits.windowMs) continue
        source.pace = ((fresh - counted) / (now - since)) * 1000
        since = now
        counted = fresh
        if (isTooSlow(source, left, limits))
          throw new UpdateError('stalled', `${source.host}: ${Math.round(source.pace)} bytes/s`)
      }
      await out.sync()
      // A regular end of the body: this is all that the mirror has, for example a web page.
      isWrong = bytes < file.size
      if (isWrong) throw new UpdateError('wrong-size', `${source.host}: only ${bytes} bytes`)
    } finally {
      reply.discard()
      await out.close()
      if (isWrong) await discard(part)
    }
  } catch (error) {
    if (idle.signal.aborted && !signal.aborted)
      throw new UpdateError('stalled', `${source.host}: no data for ${limits.idleMs} ms`, error)
    throw error
  } finally {
    clearTimeout(timer)
    source.pace = (fresh / Math.max(1, clock() - began)) * 1000
  }
}

/** Whether a mirror is too slow; it is abandoned only for one that may be faster. */
const isTooSlow = (source: Source, left: readonly Source[], limits: DownloadLimits): boolean =>
  (source.pace ?? 0) < limits.slowBytesPerSecond &&
  left.some((other) => other !== source && (other.pace ?? Infinity) > 2 * (source.pace ?? 0))

/** Returns why no mirror is left; a wrong checksum is more informative than a wrong size. */
function outcome(sources: readonly Source[]): UpdateError {
  const errors = sources.flatMap(({ out }) => (out ? [out] : []))
  const fault = errors.some((error) => error.fault === 'wrong-hash') ? 'wrong-hash' : 'wrong-size'
  return new UpdateError(fault, errors.map(({ message }) => message).join('; '))
}

/** Whether a file is exactly the package in the signed feed. */
export async function isPackage(path: string, file: FeedPackage): Promise<boolean> {
  return (await bytesOf(path)) === file.size && (await sha512(path)) === file.sha512
}

/** Returns the SHA-512 of a file in base64; reads in chunks, so that the thread stays responsive. */
export async function sha512(path: string): Promise<string> {
  const hash = createHash('sha512')
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 }))
    hash.update(chunk as Uint8Array)
  return hash.digest('base64')
}

async function bytesOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}

async function assertFreeSpace({ file, target }: DownloadDeps): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(target))
  const there = await bytesOf(`${target}.part`)
  const needed = 2 * file.size - there + spareBytes
  if (bavail * bsize < needed)
    throw new UpdateError('disk-full', `${needed} bytes needed, ${bavail * bsize} free`)
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}

const reasonText = (error: unknown): string =>
  error instanceof UpdateError ? error.message : reasonOf(error)
