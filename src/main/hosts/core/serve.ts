import type { Clock, Log } from '../../deps.ts'
import type { App, HostServices, PageConnection } from '../../host.ts'
import { processOverPort, type ProcessPort } from '../../../system/own-process/port.ts'
import type { OpenProcess } from '../../../system/own-process/program.ts'
import {
  isPageMessage,
  isProcessMessage,
  openLink,
  type CoreFunctions,
  type HostFunctions,
} from './boundary.ts'
import { servePort, type Port } from './page-port.ts'
import { remoteServices } from './services.ts'

/** The core's connection to the host process, like Electron's `process.parentPort`. */
export interface ParentPort {
  postMessage(message: unknown): void
  on(
    event: 'message',
    listener: (event: { readonly data: unknown; readonly ports: readonly Port[] }) => void,
  ): unknown
}

interface CoreDeps {
  /** Builds the app; rejects on failure. */
  build(services: HostServices, openProcess: OpenProcess): Promise<App>
  readonly clock: Clock
  readonly log: Log
}

/** Serves the host process over `parent`: builds the app on request, then answers calls and serves pages. */
export function serveCore(parent: ParentPort, { build, clock, log }: CoreDeps): void {
  const created = Promise.withResolvers<App>()
  // A failure is the reply to `create`; it needs no other handler.
  created.promise.catch(() => {})
  const connections = new Map<string, PageConnection>()
  const bodies = new Map<number, ReadableStreamDefaultReader<Uint8Array>>()
  let lastBody = 0

  /** Requested processes whose ports have not arrived yet. */
  const opening = new Map<number, (port: ProcessPort) => void>()
  let lastProcess = 0
  const openProcess: OpenProcess = () => {
    const id = ++lastProcess
    const { promise, resolve, reject } = Promise.withResolvers<ProcessPort>()
    opening.set(id, resolve)
    Promise.resolve(host.openProcess(id)).catch((error: unknown) => {
      log.error('failed to start a process', { error })
      opening.delete(id)
      reject(error)
    })
    return processOverPort(promise)
  }

  const noted = (work: Promise<unknown>): void =>
    void work.catch((error: unknown) => log.warn('the host did not accept a message', { error }))
  const connectionOf = (id: string): PageConnection =>
    connections.get(id) ?? { id, push: (event) => noted(host.push.asEvent(id, event)) }

  const functions: CoreFunctions = {
    async create(description) {
      const services = remoteServices(description, (name, args) => host.service(name, args))
      build(services, openProcess).then(created.resolve, created.reject)
      await created.promise
    },
    start: async () => (await created.promise).start(),
    request: async (id, route, payload) =>
      (await created.promise).request(connectionOf(id), route, payload),
    async connect(id) {
      const app = await created.promise
      const connection = connectionOf(id)
      connections.set(id, connection)
      app.connect(connection)
    },
    async disconnect(id) {
      const connection = connections.get(id)
      connections.delete(id)
      if (connection) (await created.promise).disconnect(connection)
    },
    async fetch({ url, method, headers, body }) {
      const app = await created.promise
      const init = {
        method,
        headers: headers.map(([name, value]): [string, string] => [name, value]),
      }
      const answer = await app.fetch(
        new Request(url, body ? { ...init, body: new Uint8Array(body) } : init),
      )
      const number = answer.body ? ++lastBody : null
      if (answer.body && number !== null) bodies.set(number, answer.body.getReader())
      return { status: answer.status, headers: [...answer.headers], body: number }
    },
    async read(number) {
      const reader = bodies.get(number)
      if (!reader) return null
      try {
        const { done, value } = await reader.read()
        if (!done) return value
      } catch (error) {
        bodies.delete(number)
        throw error
      }
      bodies.delete(number)
      return null
    },
    async cancel(number) {
      const reader = bodies.get(number)
      bodies.delete(number)
      await reader?.cancel()
    },
    takeFile: async (path) => (await created.promise).takeFile(path),
    async resumed() {
      ;(await created.promise).resumed?.()
    },
    stopRecording: async () => (await created.promise).stopRecording(),
    async stop() {
      await (await created.promise).stop()
    },
  }

  const host = openLink<HostFunctions, CoreFunctions>(functions, {
    post: (message) => parent.postMessage(message),
    on: (listener) => {
      parent.on('message', ({ data, ports }) => {
        if (isProcessMessage(data)) {
          const [port] = ports
          if (port) opening.get(data.id)?.(processPort(port))
          opening.delete(data.id)
          return
        }
        if (!isPageMessage(data)) {
          listener(data)
          return
        }
        const [port] = ports
        if (!port) return
        created.promise.then(
          (app) => servePort(port, data.id, { app, clock, log }),
          () => port.close(),
        )
      })
    },
  })
}

/** Wraps an Electron port that leads to a process. */
function processPort(port: Port): ProcessPort {
  return {
    postMessage: (message) => port.postMessage(message),
    onMessage(listener) {
      port.on('message', ({ data }) => listener(data))
      port.start()
    },
    onClose: (listener) => void port.on('close', listener),
    close: () => port.close(),
  }
}
