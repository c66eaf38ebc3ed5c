import { spawn, type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env as environment } from 'node:process'
import type { PoolOptions, PoolRunnerInitializer, PoolWorker, WorkerRequest } from 'vitest/node'
import { changeTexts, drive, framed, frames, offDrive } from './frames.ts'
import { runExternally } from './outside.ts'
import { packSources } from './sources.ts'

const startMs = 60_000
const endMs = 3_000

/** Loaded in every process and thread under Wine. */
const preload = `--import=file:///${drive}${join(import.meta.dirname, 'wine.mjs')}`

let sources: string | null = null

/**
 * A Vitest worker in Node for Windows under Wine. It communicates with Vitest over a socket, because Wine 8 provides no
 * usable pipes; its own output is written to a file and shown when it ends unexpectedly.
 */
class WineWorker implements PoolWorker {
  readonly name = 'wine'
  readonly #events = new EventEmitter()
  readonly #options: PoolOptions
  readonly #folder = mkdtempSync(join(tmpdir(), 'lectern-wine-'))
  readonly #endOutside = runExternally(this.#folder, environment['WINEPREFIX'] ?? '')
  #process: ChildProcess | null = null
  #socket: Socket | null = null

  constructor(options: PoolOptions) {
    this.#options = options
  }

  on(event: string, callback: (...args: unknown[]) => void): void {
    this.#events.on(event, callback)
  }

  off(event: string, callback: (...args: unknown[]) => void): void {
    this.#events.off(event, callback)
  }

  send(message: WorkerRequest): void {
    this.#socket?.write(framed(message))
  }

  deserialize(data: unknown): unknown {
    return changeTexts(data, offDrive(this.#options.project.config.root))
  }

  async start(): Promise<void> {
    if (this.#socket) return
    const server = createServer()
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    try {
      const connected = new Promise<Socket>((resolve, reject) => {
        server.once('connection', resolve)
        setTimeout(
          () => reject(new Error('Node for Windows did not start in time')),
          startMs,
        ).unref()
        this.#launch(port).once('exit', (code) =>
          reject(
            new Error(`Node for Windows ended with ${code} as it started\n${this.#printed()}`),
          ),
        )
      })
      this.#socket = await connected
    } catch (error) {
      this.#kill()
      throw error
    } finally {
      server.close()
    }
    const read = frames((message) => this.#events.emit('message', message))
    this.#socket.setNoDelay(true)
    this.#socket.on('data', read)
    // The socket breaks when the process ends, which its exit event reports.
    this.#socket.on('error', () => undefined)
  }

  #launch(port: number): ChildProcess {
    const output = openSync(join(this.#folder, 'output'), 'w')
    const node = `${drive}${environment['LECTERN_WINDOWS_NODE'] ?? ''}`
    const worker = `${drive}${join(import.meta.dirname, 'worker.ts')}`
    const { root } = this.#options.project.config
    sources ??= packSources(root)
    const child = spawn('wine', [node, ...this.#options.execArgv, worker, String(port), root], {
      env: {
        ...this.#options.env,
        // The compile cache of Node for Linux is useless for Node for Windows.
        NODE_COMPILE_CACHE: undefined,
        NODE_OPTIONS: preload,
        NODE_PATH: `${drive}${environment['LECTERN_WINDOWS_MODULES'] ?? ''}`,
        LECTERN_ROOT: `file:///${drive}${root}`,
        LECTERN_SOURCES: `${drive}${sources}`,
        LECTERN_OUTSIDE: `${drive}${this.#folder}`,
      },
      stdio: ['ignore', output, output],
      // A process group of its own: programs left behind by a test end with it.
      detached: true,
    })
    closeSync(output)
    this.#process = child
    child.once('exit', (code, signal) => {
      const printed = this.#printed()
      if (this.#socket && printed !== '') process.stderr.write(`${printed}\n`)
      this.#events.emit('exit', code, signal)
    })
    return child
  }

  #printed(): string {
    try {
      return readFileSync(join(this.#folder, 'output'), 'utf8').trim()
    } catch {
      return ''
    }
  }

  #kill(): void {
    if (!this.#process?.pid) return
    try {
      process.kill(-this.#process.pid, 'SIGKILL')
    } catch {
      // The process group has already ended.
    }
  }

  async stop(): Promise<void> {
    const child = this.#process
    if (child && child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      this.#socket?.end()
      const timer = setTimeout(() => this.#kill(), endMs)
      await ended
      clearTimeout(timer)
    }
    this.#kill()
    this.#socket?.destroy()
    this.#socket = null
    this.#process = null
    this.#endOutside()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Runs test files in Node for Windows under Wine, each in its own process. */
export const wine: PoolRunnerInitializer = {
  name: 'wine',
  createPoolWorker: (options) => new WineWorker(options),
}
