import { createWriteStream, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { EnvHttpProxyAgent, fetch } from 'undici'
import { Problem } from './say.mjs'

/**
 * @typedef {object} DownloadOptions
 * @property {number} [stallMs] a connection that receives nothing for this long is closed
 * @property {number} [tries] consecutive connections without new data after which the download fails
 * @property {number} [pauseMs] pause between two connections
 * @property {(progress: { bytes: number, total: number | null }) => void} [onProgress]
 * @property {NodeJS.ProcessEnv} [env] source of the proxy settings
 */

/** Status codes that are worth retrying. */
const worthAnotherTry = (/** @type {number} */ status) =>
  status >= 500 || status === 408 || status === 425 || status === 429

const sizeOf = (/** @type {string} */ file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** The proxies of the environment, in either spelling, otherwise those of npm's settings. */
function proxies(/** @type {NodeJS.ProcessEnv} */ env) {
  const named = (/** @type {string} */ name) => env[name] || env[name.toUpperCase()]
  const npmProxy = env['npm_config_proxy']
  const httpProxy = named('http_proxy') || npmProxy
  const httpsProxy = named('https_proxy') || env['npm_config_https_proxy'] || httpProxy
  const noProxy = named('no_proxy') || env['npm_config_noproxy']
  return {
    ...(httpProxy && { httpProxy }),
    ...(httpsProxy && { httpsProxy }),
    ...(noProxy && { noProxy }),
  }
}

/** The message of an error's innermost cause: fetch itself reports only that it failed. */
export function reasonOf(/** @type {unknown} */ error) {
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return reasonOf(error.cause)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name
  return error.message || code
}

/** Where the response body starts in the file, and the file's final length; null if this response is unusable. */
function placeOf(/** @type {import('undici').Response} */ response, /** @type {number} */ have) {
  const [, start, total] =
    /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(response.headers.get('content-range') ?? '') ?? []
  const whole = total && total !== '*' ? Number(total) : null
  if (response.status === 206) return Number(start) === have ? { start: have, total: whole } : null
  if (response.status === 416) return whole === have ? { start: have, total: whole } : null
  const length = response.headers.get('content-length')
  return { start: 0, total: length === null ? null : Number(length) }
}

/**
 * One connection: continues where the partial file ends, or starts over if the server does not resume.
 * @param {string} url
 * @param {string} part
 * @param {Required<Pick<DownloadOptions, 'stallMs' | 'onProgress'>> & { dispatcher: EnvHttpProxyAgent }} options
 */
async function connect(url, part, { stallMs, onProgress, dispatcher }) {
  const have = sizeOf(part)
  const stalled = new AbortController()
  const watch = setTimeout(
    () => stalled.abort(new Error(`no data received for ${stallMs / 1000} seconds`)),
    stallMs,
  )
  try {
    const response = await fetch(url, {
      dispatcher,
      signal: stalled.signal,
      headers: { 'accept-encoding': 'identity', ...(have > 0 && { range: `bytes=${have}-` }) },
    })
    const place = placeOf(response, have)
    if (response.status === 416 && place) return
    if (!place) {
      await response.body?.cancel()
      await rm(part, { force: true })
      throw new Error(`the server cannot resume the download at byte ${have}`)
    }
    if (!response.ok || !response.body) {
      await response.body?.cancel()
      const answer = `the server responded with ${response.status} ${response.statusText}`.trim()
      if (worthAnotherTry(response.status)) throw new Error(answer)
      throw new Problem(`${answer} for ${response.url || url}`)
    }
    let bytes = place.start
    await pipeline(
      Readable.fromWeb(response.body),
      async function* (source) {
        for await (const chunk of source) {
          watch.refresh()
          bytes += chunk.length
          onProgress({ bytes, total: place.total })
          yield chunk
        }
      },
      createWriteStream(part, { flags: place.start > 0 ? 'a' : 'w' }),
    )
    if (place.total !== null && bytes !== place.total)
      throw new Error(`the connection ended after ${bytes} of ${place.total} bytes`)
  } catch (error) {
    throw stalled.signal.aborted ? stalled.signal.reason : error
  } finally {
    clearTimeout(watch)
  }
}

/**
 * Downloads a file, however long that takes while bytes arrive. A connection that stalls or breaks is followed by another one
 * that resumes; the partial file (`FILE.part`) is also used by a later call. The caller verifies the bytes. Throws a {@link
 * Problem}: at once for a status such as 404, otherwise when `tries` consecutive connections received nothing new.
 * @param {string} url
 * @param {string} file
 * @param {DownloadOptions} [options]
 */
export async function download(url, file, options = {}) {
  const { stallMs = 30_000, tries = 4, pauseMs = 2000, env = process.env } = options
  const { onProgress = () => {} } = options
  const part = `${file}.part`
  const dispatcher = new EnvHttpProxyAgent(proxies(env))
  try {
    let furthest = sizeOf(part)
    for (let idle = 0; ;) {
      try {
        await connect(url, part, { stallMs, onProgress, dispatcher })
        break
      } catch (error) {
        if (error instanceof Problem) throw error
        const size = sizeOf(part)
        idle = size > furthest ? 0 : idle + 1
        furthest = Math.max(furthest, size)
        if (idle >= tries) throw new Problem(reasonOf(error))
      }
      await pause(pauseMs)
    }
    await rename(part, file)
  } finally {
    await dispatcher.destroy()
  }
}
