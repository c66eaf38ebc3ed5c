import { EventEmitter } from 'node:events'
import type { FromProcess, OwnProgram, ToProcess } from './messages.ts'

/** A way to a process of our own, which ends when it is closed. */
export interface ProcessChannel {
  post(message: ToProcess): void
  onMessage(listener: (message: FromProcess) => void): void
  /** The process is gone. */
  onClose(listener: () => void): void
  close(): void
  /** Whether the process keeps the one that asked alive. */
  keep(alive: boolean): void
}

/** Begins a process that runs `workers/own-process.ts`. */
export type OpenProcess = () => ProcessChannel

/** What owners of worker threads use of a `Worker`. */
export interface Program {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void
  on(event: 'message', listener: (message: never) => void): unknown
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
  on(event: 'exit', listener: () => void): unknown
  once(event: 'exit', listener: () => void): unknown
  terminate(): Promise<unknown>
  ref(): void
  unref(): void
}

/** A program that was written for a worker thread, in a process of its own, to be used as a `Worker` is. */
export interface OwnProcess extends Program {
  /** Bounds the growth of the process anew. */
  allow(bytes: number): void
}

/** Starts a program in a process of its own. A file of a kilobyte can unfold to gigabytes there: the process ends, and with it all that it took. */
export function startOwnProcess(open: OpenProcess, program: OwnProgram): OwnProcess {
  const channel = open()
  const events = new EventEmitter()
  const gone = Promise.withResolvers<void>()
  channel.onMessage((message) => {
    if (message.t === 'message') return void events.emit('message', message.data)
    const error = Object.assign(new Error(message.message), { code: message.code ?? undefined })
    if (events.listenerCount('error') > 0) events.emit('error', error)
  })
  channel.onClose(() => {
    gone.resolve()
    events.emit('exit')
  })
  channel.post({ t: 'start', program })
  return {
    // Buffers are copied: nothing can be handed over to another process.
    postMessage: (data) => channel.post({ t: 'message', data }),
    on: (event: string, listener: (value: never) => void) =>
      events.on(event, listener as (value: unknown) => void),
    once: (event: string, listener: () => void) => events.once(event, listener),
    async terminate() {
      channel.close()
      await gone.promise
    },
    ref: () => channel.keep(true),
    unref: () => channel.keep(false),
    allow: (maxBytes) => channel.post({ t: 'growth', maxBytes }),
  }
}
