import childProcess from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { isMainThread, threadId } from 'node:worker_threads'

// Wine 8 has no TCP_KEEPIDLE. libuv sets it when a connection starts if keep-alive was requested before, as undici does, and
// the
// connection fails with UNKNOWN; if requested afterwards, the error is ignored.
const setKeepAlive = Socket.prototype.setKeepAlive
Socket.prototype.setKeepAlive = function later(...args) {
  if (!this.connecting) return setKeepAlive.apply(this, args)
  return this.once('connect', () => setKeepAlive.apply(this, args))
}

// Each file query costs messages to Wine's server, and Node makes several for each import: a relative import names its file,
// and the sources come from the one file of sources.ts.
const pack = readFileSync(process.env['LECTERN_SOURCES'] ?? '')
const listEnd = 4 + pack.readUInt32LE()
const places = JSON.parse(pack.toString('utf8', 4, listEnd))
const root = process.env['LECTERN_ROOT'] ?? ''
const isNamed = /^\.{1,2}\/.*\.[cm]?[jt]s$/
registerHooks({
  resolve: (specifier, context, next) =>
    isNamed.test(specifier) && context.parentURL?.startsWith('file:')
      ? { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
      : next(specifier, context),
  load(url, context, next) {
    const place = url.startsWith(root) ? places[url.slice(root.length)] : undefined
    if (!place) return next(url, context)
    const [start, end] = place
    const source = pack.toString('utf8', listEnd + start, listEnd + end)
    return { format: 'module', source, shortCircuit: true }
  },
})

// Linux programs that tests compare with or take audio from. Wine cannot read their output: the pool runs them instead
// (test/windows/outside.ts), requested with a file.
const outside = new Set(['bash', 'espeak-ng', 'ffmpeg', 'ffprobe', 'python3'])
const patienceMs = 120_000
const pauseMs = 5
const still = new Int32Array(new SharedArrayBuffer(4))
let asked = 0

function runExternally(program, args, options) {
  asked += 1
  const path = join(
    process.env['LECTERN_OUTSIDE'] ?? '',
    `${process.pid}-${isMainThread ? 0 : threadId}-${asked}`,
  )
  writeFileSync(`${path}.new`, serialize({ program, args, input: options.input }))
  // The pool is reading the folder at that moment, which sometimes makes Wine return ENOMEM.
  for (let left = 20; existsSync(`${path}.new`); left--)
    try {
      renameSync(`${path}.new`, `${path}.request`)
    } catch (error) {
      if (left === 0) throw error
      Atomics.wait(still, 0, 0, pauseMs)
    }
  for (let waited = 0; !existsSync(`${path}.reply`); waited += pauseMs) {
    if (waited > patienceMs) throw new Error(`${program} did not answer`)
    Atomics.wait(still, 0, 0, pauseMs)
  }
  const reply = deserialize(readFileSync(`${path}.reply`))
  rmSync(`${path}.reply`)
  const text = (bytes) =>
    options.encoding && options.encoding !== 'buffer'
      ? Buffer.from(bytes).toString(options.encoding)
      : Buffer.from(bytes)
  const [stdout, stderr] = [text(reply.stdout), text(reply.stderr)]
  if (reply.code === 0) return stdout
  throw Object.assign(
    new Error(`Command failed: ${program} ${args.join(' ')}\n${String(stderr)}`),
    {
      status: reply.code,
      stdout,
      stderr,
    },
  )
}

const { execFileSync } = childProcess
childProcess.execFileSync = (program, args = [], options = {}) =>
  outside.has(program)
    ? runExternally(program, args, options)
    : execFileSync(program, args, options)
syncBuiltinESMExports()
