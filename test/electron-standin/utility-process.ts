import { fork as forkNode, type ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { command } from './control.ts'
import {
  deserializeValue,
  PortLink,
  serializeValue,
  receivePorts,
  type LinkMessage,
  type MessagePortMain,
} from './ports.ts'

/** Messages between the parent and a utility process. */
export type UtilityMessage =
  | LinkMessage
  | { readonly t: 'message'; readonly data: Uint8Array; readonly ports: readonly string[] }

const entry = fileURLToPath(new URL('utility-entry.ts', import.meta.url))
const living = new Set<ChildProcess>()
// Chromium ends its services with the browser process, however that ends.
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL')
})

function stdioOf(
  option: Electron.ForkOptions['stdio'],
): readonly ('ignore' | 'inherit' | 'pipe')[] {
  const list =
    typeof option === 'string'
      ? ['ignore', option, option]
      : (option ?? ['ignore', 'inherit', 'inherit'])
  if (list.length < 3) throw new Error('configuration missing for stdin, stdout or stderr.')
  if (list[0] !== 'ignore') throw new Error('stdin value other than ignore is not supported.')
  for (const value of list)
    if (value !== 'ignore' && value !== 'inherit' && value !== 'pipe')
      throw new Error('stdio must be of the following values: inherit, pipe, ignore')
  return list as readonly ('ignore' | 'inherit' | 'pipe')[]
}

/**
 * A utility process (`lib/browser/api/utility-process.ts`, `shell/browser/api/electron_api_utility_process.cc`) as a
 * Node child process.
 */
class UtilityProcess extends EventEmitter {
  private child: ChildProcess | null
  private readonly link: PortLink
  readonly stdout: Readable | null
  readonly stderr: Readable | null

  constructor(modulePath: string, args: readonly string[], options: Electron.ForkOptions) {
    super()
    if (!modulePath) throw new Error('Missing UtilityProcess entry script.')
    const child = forkNode(entry, [modulePath, ...args], {
      serialization: 'advanced',
      stdio: [...stdioOf(options.stdio), 'ipc'],
      env: { ...(options.env ?? process.env) },
      execArgv: [...(options.execArgv ?? [])],
      ...(options.cwd !== undefined && { cwd: options.cwd }),
    })
    this.child = child
    this.stdout = child.stdout
    this.stderr = child.stderr
    const send = (message: UtilityMessage): void => {
      if (child.connected) child.send(message, () => {})
    }
    this.link = new PortLink('m', send)
    living.add(child)
    child.once('spawn', () => this.emit('spawn'))
    child.on('message', (message: UtilityMessage) => {
      if (message.t === 'message') this.emit('message', deserializeValue(message.data))
      else this.link.receive(message)
    })
    child.once('error', () => {})
    child.once('exit', (code, signal) => {
      living.delete(child)
      this.child = null
      this.link.closeAll()
      // The exit code of a killed process is the signal's number (`base::Process::WaitForExit`).
      this.emit('exit', code ?? (signal === 'SIGTERM' ? 15 : 9))
    })
  }

  get pid(): number | undefined {
    return this.child?.pid
  }

  postMessage(message: unknown, transfer?: readonly MessagePortMain[]): void {
    if (!this.child) return
    const data = serializeValue(message)
    const ports = receivePorts(transfer).map((end) => this.link.give(end))
    if (this.child.connected)
      this.child.send({ t: 'message', data, ports } satisfies UtilityMessage, () => {})
  }

  kill(): boolean {
    return this.child?.kill('SIGTERM') ?? false
  }
}

/** `utilityProcess` of Electron. */
export const utilityProcess = {
  fork(
    modulePath: string,
    args?: readonly string[] | Electron.ForkOptions,
    options?: Electron.ForkOptions,
  ): UtilityProcess {
    return Array.isArray(args) || args === undefined
      ? new UtilityProcess(modulePath, args ?? [], options ?? {})
      : new UtilityProcess(modulePath, [], args as Electron.ForkOptions)
  },
}

// Simulates a crash in a utility process.
command('utility.crash', () => {
  for (const child of living) child.kill('SIGKILL')
})
