import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fetchElectron, progressPrinter } from '../../scripts/fetch-electron.mjs'
import { download } from '../../scripts/lib/download.mjs'
import { at, stampFolder } from '../../scripts/lib/paths.mjs'
import { zipOf } from '../fixtures/hostile-archives.ts'

const body = randomBytes(200_000)
const quick = { stallMs: 300, pauseMs: 5, tries: 2, env: {} }

let folder = ''
let closing = []
beforeEach(() => {
  // Below node_modules: Electron's installer resolves its libraries from its own location.
  mkdirSync(stampFolder, { recursive: true })
  folder = mkdtempSync(join(stampFolder, 'test-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const close of closing) await close()
  closing = []
  rmSync(folder, { recursive: true, force: true })
})

/** Starts a server on 127.0.0.1 that responds with `handle` and lists its requests. */
async function serve(handle) {
  const asked = []
  const server = createServer((request, response) => {
    asked.push({ url: request.url, range: request.headers.range })
    void handle(request, response, asked.length)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address()
  return { server, asked, port, url: `http://127.0.0.1:${port}` }
}

/** Responds with the requested byte range like a file server. */
function answer(request, response, bytes = body) {
  const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? -1)
  if (start < 0) {
    response.writeHead(200, { 'content-length': bytes.length })
    return bytes
  }
  if (start >= bytes.length) {
    response.writeHead(416, { 'content-range': `bytes */${bytes.length}` })
    return Buffer.alloc(0)
  }
  response.writeHead(206, {
    'content-length': bytes.length - start,
    'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}`,
  })
  return bytes.subarray(start)
}

const whole = (request, response) => response.end(answer(request, response))
const file = () => join(folder, 'file.zip')

describe('download', () => {
  test('continues past every time limit when slow, and reports its progress', async () => {
    const { url } = await serve(async (request, response) => {
      const bytes = answer(request, response)
      for (let from = 0; from < bytes.length; from += 20_000) {
        response.write(bytes.subarray(from, from + 20_000))
        await pause(90)
      }
      response.end()
    })
    const seen = []
    const start = performance.now()
    await download(url, file(), { ...quick, onProgress: (progress) => seen.push(progress) })
    expect(performance.now() - start).toBeGreaterThan(quick.stallMs * 2)
    expect(readFileSync(file()).equals(body)).toBe(true)
    expect(seen.length).toBeGreaterThan(5)
    expect(seen.at(-1)).toEqual({ bytes: body.length, total: body.length })
  })

  test.each([
    ['stalls', () => {}],
    ['is interrupted', (response) => response.destroy()],
  ])('resumes a download that %s', async (_, end) => {
    const { url, asked } = await serve((request, response, count) => {
      const bytes = answer(request, response)
      if (count > 2) return response.end(bytes)
      response.write(bytes.subarray(0, 60_000), () => setTimeout(() => end(response), 30))
      return undefined
    })
    await download(url, file(), quick)
    expect(readFileSync(file()).equals(body)).toBe(true)
    expect(asked.map(({ range }) => range)).toEqual([undefined, 'bytes=60000-', 'bytes=120000-'])
    expect(existsSync(`${file()}.part`)).toBe(false)
  })

  test('restarts when the server does not support ranges', async () => {
    const { url, asked } = await serve((request, response, count) => {
      response.writeHead(200, { 'content-length': body.length })
      if (count > 1) return response.end(body)
      response.write(body.subarray(0, 60_000), () => setTimeout(() => response.destroy(), 30))
      return undefined
    })
    await download(url, file(), quick)
    expect(readFileSync(file()).equals(body)).toBe(true)
    expect(asked).toHaveLength(2)
  })

  test('continues from the part of an earlier call, even a complete one', async () => {
    writeFileSync(`${file()}.part`, body.subarray(0, 150_000))
    const { url, asked } = await serve(whole)
    await download(url, file(), quick)
    expect(readFileSync(file()).equals(body)).toBe(true)
    writeFileSync(`${file()}.part`, body)
    await download(url, file(), quick)
    expect(readFileSync(file()).equals(body)).toBe(true)
    expect(asked.map(({ range }) => range)).toEqual(['bytes=150000-', 'bytes=200000-'])
  })

  test('drops a part that is longer than the file', async () => {
    writeFileSync(`${file()}.part`, Buffer.alloc(body.length + 1))
    const { url } = await serve(whole)
    await download(url, file(), quick)
    expect(readFileSync(file()).equals(body)).toBe(true)
  })

  test('fails at once with a message for a missing file', async () => {
    const { url, asked } = await serve((_, response) => response.writeHead(404).end())
    await expect(download(`${url}/x.zip`, file(), quick)).rejects.toThrow(
      `the server responded with 404 Not Found for ${url}/x.zip`,
    )
    expect(asked).toHaveLength(1)
  })

  test('retries a busy server, and follows redirects', async () => {
    const { url, asked } = await serve((request, response, count) => {
      if (count === 1) return response.writeHead(503).end()
      if (request.url === '/') return response.writeHead(302, { location: '/there' }).end()
      return whole(request, response)
    })
    await download(url, file(), quick)
    expect(asked.map((one) => one.url)).toEqual(['/', '/', '/there'])
  })

  test('ends when no new data arrives, and keeps the part', async () => {
    const { url, asked } = await serve((request, response) => {
      const bytes = answer(request, response)
      if (!request.headers.range) response.write(bytes.subarray(0, 50_000))
      else response.flushHeaders()
    })
    await expect(download(url, file(), quick)).rejects.toThrow('no data received for 0.3 seconds')
    expect(asked).toHaveLength(3)
    expect(readFileSync(`${file()}.part`)).toHaveLength(50_000)
  })

  test('reports an unreachable server', async () => {
    const { url, server } = await serve(whole)
    await new Promise((resolve) => server.close(resolve))
    await expect(download(url, file(), quick)).rejects.toThrow(/ECONNREFUSED/)
  })
})

describe('proxy', () => {
  /** Starts a proxy that serves the file for any URL and rejects tunnels; lists both. */
  async function serveProxy() {
    const { server, asked, url } = await serve(whole)
    const tunnels = []
    server.on('connect', (request, socket) => {
      tunnels.push(request.url)
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    })
    return { url, asked, tunnels }
  }

  test.each([
    ['http_proxy', (url) => ({ http_proxy: url })],
    ['HTTP_PROXY', (url) => ({ HTTP_PROXY: url })],
    ['npm’s own setting', (url) => ({ npm_config_proxy: url })],
  ])('is used when set by %s', async (_, named) => {
    const { url, asked } = await serveProxy()
    await download('http://mirror.invalid/e.zip', file(), { ...quick, env: named(url) })
    expect(readFileSync(file()).equals(body)).toBe(true)
    expect(asked.map((one) => one.url)).toEqual(['http://mirror.invalid/e.zip'])
  })

  test.each(['https_proxy', 'HTTPS_PROXY', 'npm_config_https_proxy', 'http_proxy'])(
    'receives a tunnel request when set by %s, and its answer is reported',
    async (name) => {
      const { url, tunnels } = await serveProxy()
      const options = { ...quick, tries: 1, env: { [name]: url } }
      await expect(download('https://mirror.invalid/e.zip', file(), options)).rejects.toThrow('403')
      expect(tunnels).toEqual(['mirror.invalid:443'])
    },
  )

  test('is not used for a host in no_proxy', async () => {
    const origin = await serve(whole)
    const { url, asked, tunnels } = await serveProxy()
    const env = { http_proxy: url, no_proxy: '127.0.0.1' }
    await download(origin.url, file(), { ...quick, env })
    expect([asked, tunnels]).toEqual([[], []])
    expect(origin.asked).toHaveLength(1)
  })
})

describe('Electron installation', () => {
  const version = '45.4.1'
  const program = { linux: 'electron', win32: 'electron.exe' }[process.platform]
  const artifact = `electron-v${version}-${process.platform}-${process.arch}.zip`
  const path = program ?? 'Electron.app/Contents/MacOS/Electron'
  const archive = zipOf([
    { name: 'version', content: Buffer.from(version) },
    { name: path, content: randomBytes(100_000) },
  ])

  /** Returns an Electron package that expects these bytes, and settings that point to this server. */
  async function electronAt(url, expected = archive) {
    const home = join(folder, 'electron')
    mkdirSync(home)
    await copyFile(at('node_modules/electron/install.js'), join(home, 'install.js'))
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'electron', version }))
    const sum = createHash('sha256').update(expected).digest('hex')
    writeFileSync(join(home, 'checksums.json'), JSON.stringify({ [artifact]: sum }))
    vi.stubEnv('ELECTRON_MIRROR', `${url}/mirror/`)
    vi.stubEnv('electron_config_cache', join(folder, 'cache'))
    vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', undefined)
    const transfer = { ...quick, onProgress: () => {} }
    return { home, fetch: () => fetchElectron({ folder: home, partFolder: folder, transfer }) }
  }

  test('downloads from the mirror over an unstable connection and unpacks', async () => {
    const { url, asked } = await serve((request, response, count) => {
      const bytes = answer(request, response, archive)
      if (count > 1) return response.end(bytes)
      response.write(bytes.subarray(0, 40_000), () => setTimeout(() => response.destroy(), 30))
      return undefined
    })
    const { home, fetch } = await electronAt(url)
    await fetch()
    expect(asked.map((one) => one.url)).toEqual(Array(2).fill(`/mirror/v${version}/${artifact}`))
    expect(readFileSync(join(home, 'path.txt'), 'utf8')).toBe(path)
    expect(existsSync(join(home, 'dist', path))).toBe(true)
    // The archive is cached now: a second package needs no network.
    rmSync(home, { recursive: true })
    const again = await electronAt(url)
    await again.fetch()
    expect(asked).toHaveLength(2)
    expect(existsSync(join(again.home, 'dist', path))).toBe(true)
  })

  test('downloads wrong bytes once more, then rejects them', async () => {
    const { url, asked } = await serve((request, response) =>
      response.end(answer(request, response, archive)),
    )
    const { home, fetch } = await electronAt(url, Buffer.from('something else'))
    await expect(fetch()).rejects.toThrow('does not match its checksum')
    expect(asked.map(({ range }) => range)).toEqual([undefined, undefined])
    expect(existsSync(join(home, 'dist'))).toBe(false)
  })

  test('restarts a download whose part belongs to another file', async () => {
    writeFileSync(join(folder, `${artifact}.part`), Buffer.alloc(30_000))
    const { url, asked } = await serve((request, response) =>
      response.end(answer(request, response, archive)),
    )
    const { home, fetch } = await electronAt(url)
    await fetch()
    expect(asked.map(({ range }) => range)).toEqual(['bytes=30000-', undefined])
    expect(existsSync(join(home, 'dist', path))).toBe(true)
  })

  test('rejects a version the mirror does not have, with its URL', async () => {
    const { url } = await serve((_, response) => response.writeHead(404).end())
    const { fetch } = await electronAt(url)
    await expect(fetch()).rejects.toThrow(`404 Not Found for ${url}/mirror/v${version}/${artifact}`)
  })
})

describe('progress', () => {
  const printed = (isTTY, steps) => {
    const texts = []
    const clock = { ms: 0 }
    const print = progressPrinter({ isTTY, write: (text) => texts.push(text) }, () => clock.ms)
    for (const [ms, bytes, total] of steps) {
      clock.ms = ms
      print({ bytes, total })
    }
    return texts
  }

  test('overwrites one line in a terminal', () => {
    const texts = printed(true, [
      [0, 1e6, 10e6],
      [100, 2e6, 10e6],
      [300, 3e6, 10e6],
      [310, 10e6, 10e6],
    ])
    expect(texts).toEqual([
      '\r  1 of 10 MB, 10%   ',
      '\r  3 of 10 MB, 30%   ',
      '\r  10 of 10 MB, 100%   \n',
    ])
    expect(printed(true, [[0, 5e6, null]])).toEqual(['\r  5 MB   '])
  })

  test('prints a line for each tenth elsewhere', () => {
    const steps = [1, 2, 3, 10, 11, 12, 25, 100].map((percent) => [0, percent * 1e6, 100e6])
    expect(printed(false, steps)).toEqual([
      '  1 of 100 MB, 1%\n',
      '  10 of 100 MB, 10%\n',
      '  25 of 100 MB, 25%\n',
      '  100 of 100 MB, 100%\n',
    ])
  })
})
