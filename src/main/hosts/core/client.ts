import type { BirpcReturn } from 'birpc'
import type { Reply } from '../../../shared/contract/reply.ts'
import type { Clock, Log } from '../../deps.ts'
import type { App, HostServices, PageConnection } from '../../host.ts'
import {
  maxBodyBytes,
  openLink,
  type CoreFunctions,
  type HostFunctions,
  type PageMessage,
  type ProcessMessage,
} from './boundary.ts'
import { callService, describeServices } from './services.ts'

/** Process in which the core runs, like Electron's `UtilityProcess`. `P` is its type of message port. */
export interface CoreProcess<P> {
  postMessage(message: unknown, ports?: P[]): void
  on(event: 'message', listener: (message: unknown) => void): unknown
  once(event: 'exit', listener: (code: number) => void): unknown
  kill(): unknown
}

/** The app in its own process, with what windows need in addition. */
export interface Core<P> extends App {
  /** Serves a page from now on; returns the page's end of the port. */
  openPage(id: string): P
  /**
   * `lost` when the process ended unexpectedly, `back` when another one replaced it: pages need new ports then.
   */
  onChange(listener: (change: 'lost' | 'back') => void): () => void
  /**
   * Ends the process immediately, without an orderly stop, and starts no other one. For a host that cannot continue.
   */
  kill(): void
}

interface CoreOptions<P> {
  readonly services: HostServices
  fork(): CoreProcess<P>
  /**
   * Starts a process that runs `workers/own-process.ts` and receives the port of the core with its first message.
   */
  forkProgram(): Pick<CoreProcess<P>, 'postMessage'>
  channel(): { readonly port1: P; readonly port2: P }
  readonly clock: Clock
  readonly log: Log
  /** Called when the process ended too often and the app cannot continue. */
  onGivenUp(): void
}

type Link = BirpcReturn<CoreFunctions, HostFunctions>

/** One run of the process. */
interface Life<P> {
  readonly link: Link
  readonly process: CoreProcess<P>
}

/** Number of exits within these milliseconds after which another restart would not help. */
const trouble = { milliseconds: 60_000, ends: 3 } as const

/**
 * Starts the app in its own process. Rejects if it cannot be built. A process that ends unexpectedly is replaced; calls
 * made in the meantime wait for the next one, and calls that it had not answered fail.
 */
export async function startCore<P>(options: CoreOptions<P>): Promise<Core<P>> {
  const { services, clock, log } = options
  const connections = new Map<string, PageConnection>()
  const listeners = new Set<(change: 'lost' | 'back') => void>()
  const ends: number[] = []
  let started = false
  let stopping: Promise<void> | null = null
  let life: Promise<Life<P>>
  let running: CoreProcess<P> | null = null
  const fork = (): CoreProcess<P> => (running = options.fork())

  const functions: Omit<HostFunctions, 'openProcess'> = {
    service: async (name, args) => callService(services, name, args),
    push: (id, event) => connections.get(id)?.push(event),
  }

  const ended = (code: number): void => {
    if (stopping || !started) return
    const now = clock()
    ends.push(now)
    const recent = ends.filter((at) => now - at < trouble.milliseconds).length
    log.error('core process exited', { code, recent })
    for (const listener of listeners) listener('lost')
    if (recent >= trouble.ends) return options.onGivenUp()
    life = restart()
    // Callers see the failure; the end of the process has been reported by then.
    life.catch((error: unknown) => log.error('failed to restart the core process', { error }))
  }

  const restart = async (): Promise<Life<P>> => {
    const fresh = await begin(options, fork, functions, ended)
    for (const id of connections.keys()) noted(fresh.link.connect(id))
    await startOrKill(fresh)
    for (const listener of listeners) queueMicrotask(() => listener('back'))
    return fresh
  }

  const call = async <T>(run: (link: Link) => Promise<T>): Promise<T> => run((await life).link)
  const noted = (work: Promise<unknown>): void =>
    void work.catch((error: unknown) => log.warn('core did not respond', { error }))

  life = begin(options, fork, functions, ended)
  await life
  started = true

  return {
    request: (connection, route, payload) =>
      call((link) => link.request(connection.id, route, payload)).catch((): Reply<never> => ({
        ok: false,
        error: noAnswer(clock()),
      })),
    connect(connection) {
      connections.set(connection.id, connection)
      noted(call((link) => link.connect(connection.id)))
    },
    disconnect(connection) {
      connections.delete(connection.id)
      noted(call((link) => link.disconnect(connection.id)))
    },
    fetch: (request) =>
      call((link) => fetchFrom(link, request)).catch((error: unknown) => {
        log.warn('core did not respond', { error })
        return new Response('Lectern is not responding', { status: 503 })
      }),
    takeFile: (path) =>
      call((link) => link.takeFile(path)).catch((): Reply<never> => ({
        ok: false,
        error: noAnswer(clock()),
      })),
    start: () => call((link) => link.start()),
    resumed: () => noted(call((link) => link.resumed())),
    stopRecording: () => call((link) => link.stopRecording()),
    stop: () =>
      (stopping ??= life.then(async (last) => {
        await last.link
          .stop()
          .catch((error: unknown) => log.error('core process did not stop', { error }))
        last.process.kill()
      })),
    openPage(id) {
      const { port1, port2 } = options.channel()
      const message: PageMessage = { t: 'page', id }
      noted(life.then((current) => current.process.postMessage(message, [port1])))
      return port2
    },
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    kill() {
      stopping ??= Promise.resolve()
      running?.kill()
    },
  }
}

/** Starts one process and builds the app in it. */
async function begin<P>(
  { services, forkProgram, channel }: CoreOptions<P>,
  fork: () => CoreProcess<P>,
  functions: Omit<HostFunctions, 'openProcess'>,
  onEnded: (code: number) => void,
): Promise<Life<P>> {
  const process = fork()
  // The port closes with the core that requested it, and the process ends with its port.
  const openProcess = (id: number): void => {
    const { port1, port2 } = channel()
    forkProgram().postMessage('port', [port1])
    process.postMessage({ t: 'process', id } satisfies ProcessMessage, [port2])
  }
  const own: HostFunctions = { ...functions, openProcess }
  const link = openLink<CoreFunctions, HostFunctions>(own, {
    post: (message) => process.postMessage(message),
    on: (listener) => void process.on('message', listener),
  })
  process.once('exit', (code) => {
    link.$close(new Error(`The core process exited with code ${code}`))
    onEnded(code)
  })
  await link.create(describeServices(services)).catch((error: unknown) => {
    // A process that cannot build the app is useless. Its exit is counted, so that a restart is tried again or given up.
    process.kill()
    throw error
  })
  return { link, process }
}

async function startOrKill<P>({ link, process }: Life<P>): Promise<void> {
  await link.start().catch((error: unknown) => {
    process.kill()
    throw error
  })
}

const noAnswer = (at: number) =>
  ({ code: 'INTERNAL', message: 'Lectern is not responding', retriable: true, at }) as const

/** Status codes of responses without a body. */
const bodiless = new Set([204, 304])

/** Sends one request through the link: its body at once, the body of the response in chunks as it is read. */
async function fetchFrom(link: Link, request: Request): Promise<Response> {
  const sent = await bodyOf(request)
  if (sent === 'too-long') return new Response('Payload too large', { status: 413 })
  const { status, headers, body } = await link.fetch({
    url: request.url,
    method: request.method,
    headers: [...request.headers],
    body: sent,
  })
  const init = { status, headers: headers.map(([name, value]): [string, string] => [name, value]) }
  if (body === null || bodiless.has(status)) return new Response(null, init)
  const cancel = (): Promise<void> => link.cancel(body).catch(() => {})
  request.signal.addEventListener('abort', () => void cancel(), { once: true })
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await link.read(body)
        if (chunk === null) controller.close()
        else controller.enqueue(chunk)
      },
      cancel,
    },
    // Reads a few chunks ahead, so that a player does not wait for each.
    { highWaterMark: 4 },
  )
  return new Response(stream, init)
}

async function bodyOf(request: Request): Promise<Uint8Array | null | 'too-long'> {
  if (!request.body) return null
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength
    if (length > maxBodyBytes) return 'too-long'
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
