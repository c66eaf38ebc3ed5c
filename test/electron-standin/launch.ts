import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ControlCommand, ControlEvent, ControlMessage } from './control.ts'

/** Launch options of the stand-in. */
export interface LaunchOptions {
  /** Path of the main bundle; Lectern's when absent. */
  readonly entry?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** `wayland`: hidden windows paint only after they are shown. */
  readonly display?: 'x11' | 'wayland'
  readonly locale?: string
  readonly theme?: 'light' | 'dark'
  /** `process.platform` as the app's main process sees it. */
  readonly platform?: NodeJS.Platform
  /** Command-line flags for Chromium. */
  readonly flags?: readonly string[]
  /** Windows load nothing before the `release` command. */
  readonly hold?: boolean
}

/** An app running on the stand-in. */
export interface RunningApp {
  readonly process: ChildProcess
  /** Endpoint for a browser driver that uses the DevTools protocol. */
  readonly endpoint: Promise<string>
  /** All events of the app, in order. */
  readonly events: readonly ControlEvent[]
  /** Returns everything it has printed. */
  output(): string
  /** Sends a command; rejects with the stand-in's error message, or after 120 s. */
  command<T = unknown>(name: string, ...args: readonly unknown[]): Promise<T>
  /** Returns the next matching event, including past ones after `from`; rejects after 60 s. */
  event<T = Record<string, unknown>>(
    name: string,
    fits?: (detail: T) => boolean,
    from?: number,
  ): Promise<T>
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>
  /** Ends it with SIGTERM, after 20 s with SIGKILL. */
  stop(): Promise<number | null>
  kill(): Promise<void>
}

const start = fileURLToPath(new URL('start.ts', import.meta.url))
const lectern = fileURLToPath(new URL('../../out/main/index.js', import.meta.url))

/** Starts an Electron app on the stand-in. */
export function launch(options: LaunchOptions = {}): RunningApp {
  const env: Record<string, string | undefined> = {
    ...process.env,
    // Variables that Vitest sets are not meant for the app.
    NODE_OPTIONS: undefined,
    STANDIN_LOCALE: options.locale ?? 'en-US',
    STANDIN_THEME: options.theme ?? 'light',
    STANDIN_DISPLAY: options.display ?? 'x11',
    ...(options.platform && { STANDIN_PLATFORM: options.platform }),
    ...(options.flags && { STANDIN_CHROMIUM_FLAGS: options.flags.join('\n') }),
    ...(options.hold && { STANDIN_HOLD: '1' }),
    ...options.env,
  }
  const child = fork(start, [options.entry ?? lectern, ...(options.args ?? [])], {
    env,
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))

  const events: ControlEvent[] = []
  const listeners = new Set<() => void>()
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let lastId = 0
  child.on('message', (message: ControlMessage) => {
    if ('event' in message) {
      events.push(message)
      for (const listener of listeners) listener()
      return
    }
    const call = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.ok) call?.resolve(message.value)
    else call?.reject(new Error(message.error))
  })
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  void exited.then((code) => {
    for (const call of waiting.values())
      call.reject(new Error(`The app ended with ${code}:\n${output}`))
    waiting.clear()
  })

  const event = <T>(
    name: string,
    fits: (detail: T) => boolean = () => true,
    from = 0,
  ): Promise<T> =>
    new Promise((resolve, reject) => {
      let seen = from
      const done = (end: () => void): void => {
        clearTimeout(timer)
        listeners.delete(check)
        end()
      }
      const check = (): void => {
        for (; seen < events.length; seen++) {
          const found = events[seen]
          if (found?.event === name && fits(found.detail as T))
            return done(() => resolve(found.detail as T))
        }
      }
      const timer = setTimeout(() => {
        const names = events.map((each) => each.event).join(', ')
        done(() => reject(new Error(`no ${name} in 60 s; there were ${names}\n${output}`)))
      }, 60_000)
      void exited.then((code) =>
        done(() => reject(new Error(`The app ended with ${code}:\n${output}`))),
      )
      listeners.add(check)
      check()
    })
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return exited
  }
  const endpoint = (async () => (await event<{ endpoint: string }>('browser')).endpoint)()
  // A later launch has no browser, so its endpoint is never used.
  endpoint.catch(() => {})
  return {
    process: child,
    endpoint,
    events,
    output: () => output,
    command<T>(name: string, ...args: readonly unknown[]) {
      const id = ++lastId
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const timer = setTimeout(() => reject(new Error(`no reply to ${name} in 120 s`)), 120_000)
      waiting.set(id, { resolve, reject })
      child.send({ id, name, args } satisfies ControlCommand, (error) => error && reject(error))
      return promise.finally(() => clearTimeout(timer)) as Promise<T>
    },
    event,
    exited,
    async stop() {
      const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
      const code = await end('SIGTERM')
      clearTimeout(timer)
      return code
    },
    kill: async () => void (await end('SIGKILL')),
  }
}
