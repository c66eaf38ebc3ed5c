import { EventEmitter } from 'node:events'
import type { FromProcess, OwnProgram, ToProcess } from './messages.ts'

/** Channel to a separate process, which ends when the channel is closed. */
export interface ProcessChannel {
  post(message: ToProcess): void
  onMessage(listener: (message: FromProcess) => void): void
  /** Calls the listener when the process is gone. */
  onClose(listener: () => void): void
  close(): void
  /** Sets whether the process keeps its parent alive. */
  keep(alive: boolean): void
}

/** Starts a process that runs `workers/own-process.ts`. */
export type OpenProcess = () => ProcessChannel

/** Members of `Worker` that owners of worker threads use. */
interface Program {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void
  on(event: 'message', listener: (message: never) => void): unknown
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown
  on(event: 'exit', listener: () => void): unknown
  once(event: 'exit', listener: () => void): unknown
  terminate(): Promise<unknown>
  ref(): void
  unref(): void
}

/** Program written for a worker thread that runs in a separate process, with the interface of a `Worker`. */
export interface OwnProcess extends Program {
  /** Sets a new limit for the growth of the process. */
  allow(bytes: number): void
}

/**
 * Starts a program in a separate process. A one-kilobyte file can expand to gigabytes there: ending the process frees everything.
 */
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
    // Buffers are copied: nothing can be transferred to another process.
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
