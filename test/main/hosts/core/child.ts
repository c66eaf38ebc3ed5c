import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../../../../src/main/host.ts'
import { serveCore, type ParentPort } from '../../../../src/main/hosts/core/serve.ts'

// A core in a separate process, with a small app that shows what crosses the boundary.
const parent: ParentPort = {
  postMessage: (message) => void process.send?.(message),
  on: (_event, listener) => process.on('message', (data: unknown) => listener({ data, ports: [] })),
}

serveCore(parent, {
  async build(services) {
    if (existsSync(join(services.home, 'broken')))
      throw new Error('The database is held by another program')
    if (services.version === 'broken') throw new Error('The database is from a later Lectern')
    const app: App = {
      async request(connection, route, payload) {
        if (route === 'die') process.kill(process.pid, 'SIGKILL')
        if (route === 'proxy')
          return { ok: true, data: await services.proxyFor('https://a.example/') }
        if (route === 'quick')
          return { ok: true, data: await services.shortcuts?.use('quick', 'Alt+Space') }
        if (route === 'push')
          connection.push({ channel: 'app', event: { type: 'settings.changed', settings: null } })
        return { ok: true, data: { pid: process.pid, payload } }
      },
      connect: (connection) =>
        connection.push({ channel: 'app', event: { type: 'accounts.changed' } }),
      disconnect() {},
      async fetch(request) {
        if (request.url.endsWith('/endless')) {
          let chunkCount = 0
          return new Response(
            new ReadableStream<Uint8Array>({
              pull: (controller) => controller.enqueue(new Uint8Array(1024).fill(++chunkCount)),
            }),
          )
        }
        const body = new Uint8Array(await request.arrayBuffer())
        return new Response(body, { status: 201, headers: { 'x-method': request.method } })
      },
      takeFile: async () => ({ ok: true, data: { media: { id: 'one' } as never } }),
      start: async () => {},
      stopRecording: async () => {},
      stop: async () => {},
    }
    return app
  },
  clock: Date.now,
  log: { info() {}, warn() {}, error() {} },
})
