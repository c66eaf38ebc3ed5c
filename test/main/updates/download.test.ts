import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAgents } from '../../../src/main/provider-client/agents.ts'
import { removal } from '../../../src/system/file-moves.ts'
import { downloadPackage, type DownloadProgress } from '../../../src/main/updates/download.ts'
import { createMirrorGet } from '../../../src/main/updates/transfer.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { patientLimits, quickLimits } from './update-setup.ts'
import { startMirror, type Mirror } from './mirror.ts'

const name = 'Lectern-0.2.0-x86_64.AppImage'
const bytes = randomBytes(600_000)
const file = {
  url: name,
  size: bytes.length,
  sha512: createHash('sha512').update(bytes).digest('base64'),
}

let folder = ''
let first: Mirror
let second: Mirror
const agents = createAgents({
  proxyFor: async () => null,
  extraCa: async () => [],
  connectTimeoutMs: 30_000,
})
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-download-'))
  ;[first, second] = [await startMirror(), await startMirror()]
  for (const mirror of [first, second]) mirror.files.set(name, bytes)
})
afterEach(async () => {
  await Promise.all([first.close(), second.close()])
  await rm(folder, removal)
})

const target = (): string => join(folder, name)
const part = (): string => `${target()}.part`
const progress: DownloadProgress[] = []
const notes: string[] = []

/** Runs a download; returns its failure, or null. */
async function run({
  signal = new AbortController().signal,
  mirrors = [first, second],
  limits = patientLimits,
} = {}) {
  progress.length = 0
  notes.length = 0
  return downloadPackage({
    mirrors: mirrors.map(({ url }) => url),
    file,
    target: target(),
    get: createMirrorGet(agents, 60_000),
    clock: Date.now,
    signal,
    limits,
    onProgress: (now) => void progress.push(now),
    note: (message, fields) => void notes.push(`${message} ${JSON.stringify(fields)}`),
  }).then(
    () => null,
    (error: unknown) => error as Error & { fault?: string },
  )
}
const isDone = (): boolean => !existsSync(part()) && readFileSync(target()).equals(bytes)
const requestedRanges = (mirror: Mirror): readonly (string | undefined)[] =>
  mirror.requests.map(({ headers }) => headers.range)

/** Sends the given number of bytes, then does something to the connection. */
const cutAfter =
  (
    maxBytes: number,
    then: 'end' | 'hang' = 'end',
    times = Infinity,
  ): NonNullable<Mirror['misbehave']> =>
  (_name, request, response) => {
    if (times-- <= 0) return false
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    response.writeHead(from > 0 ? 206 : 200, {
      'content-length': bytes.length - from,
      ...(from > 0 && { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` }),
    })
    response.write(bytes.subarray(from, from + maxBytes), () => {
      // The last bytes must have been received before the connection ends.
      const arrived = (): void => expect(statSync(part()).size).toBe(from + maxBytes)
      if (then === 'end') void eventually(arrived).finally(() => response.destroy())
    })
    return true
  }

describe('resuming a download', () => {
  test('resumes at the interruption, on the other mirror', async () => {
    first.misbehave = cutAfter(200_000)
    expect(await run()).toBeNull()
    expect(isDone()).toBe(true)
    expect(requestedRanges(second)).toEqual([expect.stringMatching(/^bytes=\d{5,}-$/)])
  })

  test('resumes where an earlier run ended', async () => {
    writeFileSync(part(), bytes.subarray(0, 500_000))
    expect(await run()).toBeNull()
    expect(isDone()).toBe(true)
    expect(requestedRanges(first)).toEqual(['bytes=500000-'])
  })

  test('resumes on the other mirror when one stalls without closing', async () => {
    first.misbehave = cutAfter(100_000, 'hang')
    expect(await run({ limits: quickLimits })).toBeNull()
    expect(isDone()).toBe(true)
    expect(notes.join()).toContain(`no data for ${quickLimits.idleMs} ms`)
  })

  test('resumes on the other mirror when one is slow', async () => {
    first.misbehave = trickle(2000, 20)
    expect(await run({ limits: quickLimits })).toBeNull()
    expect(isDone()).toBe(true)
    expect(requestedRanges(second)).toHaveLength(1)
    expect(progress.some(({ mirror }) => mirror === second.host)).toBe(true)
  })

  test('continues slowly if both mirrors are slow', async () => {
    first.misbehave = trickle(16_000, 100)
    second.misbehave = trickle(12_000, 100)
    expect(await run({ limits: quickLimits })).toBeNull()
    expect(isDone()).toBe(true)
  })

  test('restarts from the beginning if a mirror does not support resuming', async () => {
    writeFileSync(part(), bytes.subarray(0, 500_000))
    first.misbehave = (_name, _request, response) => {
      response.writeHead(200, { 'content-length': bytes.length }).end(bytes)
      return true
    }
    expect(await run()).toBeNull()
    expect(isDone()).toBe(true)
  })

  test('follows a redirect', async () => {
    first.misbehave = (wanted, _request, response) => {
      response.writeHead(302, { location: second.url + wanted }).end()
      return true
    }
    expect(await run({ mirrors: [first] })).toBeNull()
    expect(isDone()).toBe(true)
  })
})

describe('wrong packages', () => {
  const other = randomBytes(bytes.length)

  test('discards a wrong package of one mirror and tries the other mirror', async () => {
    first.files.set(name, other)
    expect(await run()).toBeNull()
    expect(isDone()).toBe(true)
    expect(notes.join()).toContain('wrong checksum')
  })

  test('fails with wrong packages on all mirrors, and leaves nothing on the disk', async () => {
    for (const mirror of [first, second]) mirror.files.set(name, other)
    expect(await run()).toMatchObject({ fault: 'wrong-hash' })
    expect([existsSync(part()), existsSync(target())]).toEqual([false, false])
  })

  test('downloads a package again completely if its beginning from an earlier run was wrong', async () => {
    writeFileSync(part(), other.subarray(0, 400_000))
    expect(await run()).toBeNull()
    expect(isDone()).toBe(true)
  })

  test('detects a package truncated on both mirrors by its size', async () => {
    for (const mirror of [first, second]) mirror.files.set(name, bytes.subarray(0, 300_000))
    expect(await run()).toMatchObject({ fault: 'wrong-size' })
    expect(existsSync(target())).toBe(false)
  })

  test('cuts off an endless package at the size in the signed feed', async () => {
    for (const mirror of [first, second])
      mirror.misbehave = (_name, _request, response) => {
        response.writeHead(200)
        const more = setInterval(() => response.write(Buffer.alloc(100_000)), 1)
        response.on('close', () => clearInterval(more))
        return true
      }
    expect(await run()).toMatchObject({ fault: 'wrong-size' })
    expect([existsSync(part()), existsSync(target())]).toEqual([false, false])
  })

  test('rejects a web page instead of a package', async () => {
    for (const mirror of [first, second])
      mirror.misbehave = (_name, _request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>')
        return true
      }
    expect(await run()).toMatchObject({ fault: 'wrong-size' })
    expect(existsSync(target())).toBe(false)
  })
})

test('tries unreachable mirrors twice each, and keeps the received part', async () => {
  writeFileSync(part(), bytes.subarray(0, 1000))
  for (const mirror of [first, second])
    mirror.misbehave = (_name, _request, response) => {
      response.destroy()
      return true
    }
  expect(await run()).toMatchObject({ fault: 'stalled' })
  expect(first.requests.length + second.requests.length).toBe(4)
  expect(readFileSync(part()).length).toBe(1000)
})

test('reports a full disk and deletes the partial file', async () => {
  // The device that is always full.
  symlinkSync('/dev/full', part())
  expect(await run()).toMatchObject({ fault: 'disk-full' })
  expect(existsSync(target())).toBe(false)
  expect(() => readFileSync(part(), { flag: 'r' })).toThrow('ENOENT')
})

test('pauses within a moment and keeps the received part', async () => {
  first.misbehave = cutAfter(200_000, 'hang')
  const stop = new AbortController()
  const ended = run({ signal: stop.signal })
  await expect.poll(() => progress.length).toBeGreaterThan(0)
  stop.abort(new Error('paused'))
  const began = Date.now()
  expect(await ended).toBeTruthy()
  expect(Date.now() - began).toBeLessThan(10_000)
  expect(readFileSync(part()).length).toBeGreaterThan(0)
  expect(existsSync(target())).toBe(false)
})

test('does not download an existing package again', async () => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(target(), bytes)
  expect(await run()).toBeNull()
  expect(first.requests).toEqual([])
})

/** Sends a few bytes at intervals. */
function trickle(chunkBytes: number, everyMs: number): NonNullable<Mirror['misbehave']> {
  return (_name, request, response) => {
    let at = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    response.writeHead(at > 0 ? 206 : 200, {
      'content-length': bytes.length - at,
      ...(at > 0 && { 'content-range': `bytes ${at}-${bytes.length - 1}/${bytes.length}` }),
    })
    const timer = setInterval(() => {
      response.write(bytes.subarray(at, at + chunkBytes))
      at += chunkBytes
      if (at >= bytes.length) {
        clearInterval(timer)
        response.end()
      }
    }, everyMs)
    response.on('close', () => clearInterval(timer))
    return true
  }
}
