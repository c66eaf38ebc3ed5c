import { fork } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startCore, type CoreProcess } from '../../src/main/hosts/core/client.ts'
import type { HostServices } from '../../src/main/host.ts'
import type { IntakeReply } from '../../src/shared/contract/transport.ts'
import type { BridgeClient } from '../../test/fixtures/bridge-client.ts'
import { parsed, prepare, importDocument } from '../pdf-600/main-life.ts'
import { watchTasks, type Tasks } from './tasks.ts'
import { portsWith } from './program-port.ts'

/** Parameters of the subject. */
export interface Order {
  /** `one`: the core in this thread, as before. `two`: in a separate process. */
  readonly processes: 'one' | 'two'
  readonly home: string
  readonly folder: string
  readonly service: { readonly url: string; readonly key: string }
  readonly audio: string
  readonly pdf: string
}

/** Tasks of the UI thread during each job. */
export type Figures = Readonly<
  Record<'idle' | 'meeting' | 'document' | 'archive' | 'search', Tasks>
>

const built = new URL('../../out/main/core.js', import.meta.url)
const quiet = { info() {}, warn() {}, error: console.error }

/** Runs the core in this thread, over a port that clones its messages. */
async function inThisThread(home: string): Promise<CoreProcess<never>> {
  const parent = new EventEmitter()
  const child = new EventEmitter()
  process.env['LECTERN_HOME'] = home
  Object.defineProperty(process, 'parentPort', {
    value: {
      postMessage: (message: unknown): void => {
        const data: unknown = structuredClone(message)
        setImmediate(() => child.emit('message', data))
      },
      on: (_event: string, listener: (event: object) => void) => parent.on('message', listener),
    },
  })
  await import(built.href)
  return {
    postMessage: (message) => {
      const data: unknown = structuredClone(message)
      setImmediate(() => parent.emit('message', { data, ports: portsWith(data) }))
    },
    on: (_event, listener) => child.on('message', listener),
    once: () => undefined,
    kill: () => undefined,
  }
}

function inItsOwnProcess(home: string): CoreProcess<never> {
  const port = new URL('./parent-port.ts', import.meta.url).href
  const child = fork(fileURLToPath(built), [], {
    serialization: 'advanced',
    execArgv: [`--import=${port}`],
    env: { ...process.env, LECTERN_HOME: home },
  })
  return {
    postMessage: (message) => void child.send(message as object, () => {}),
    on: (_event, listener) => child.on('message', listener),
    once: (_event, listener) => child.once('exit', (code) => listener(code ?? -1)),
    kill: () => child.kill('SIGKILL'),
  }
}

async function measure(order: Order): Promise<Figures> {
  const { home, folder } = order
  mkdirSync(home, { recursive: true })
  const services: HostServices = {
    host: 'electron',
    home,
    version: '0.0.0',
    platform: process.platform,
    rendererDir: fileURLToPath(new URL('../../out/renderer', import.meta.url)),
    modelsDir: fileURLToPath(new URL('../../resources/models', import.meta.url)),
    mediaBase: 'app://media/',
    proxyFor: async () => null,
    openExternal: async () => false,
    fileHost: {
      saveDialog: async () => join(folder, `${order.processes}.lectern`),
      rememberFolder: async () => {},
      openDialog: async () => null,
      showInFolder: async () => {},
      startDrag: async () => {},
    },
  }
  const here = order.processes === 'one' ? await inThisThread(home) : null
  const core = await startCore<never>({
    services,
    fork: () => here ?? inItsOwnProcess(home),
    // The core gets its file programs from program-port.ts, without ports between processes.
    forkProgram: () => ({ postMessage: () => undefined }),
    channel: () => ({ port1: undefined as never, port2: undefined as never }),
    clock: Date.now,
    log: quiet,
    onGivenUp: () => process.exit(1),
  })
  const page = { id: 'page', push: (): void => {} }
  core.connect(page)
  await core.start()
  const call = async (route: string, payload: unknown): Promise<unknown> => {
    const reply = await core.request(page, route, payload)
    if (!reply.ok) throw new Error(`${route}: ${reply.error.code} ${reply.error.message}`)
    return reply.data
  }
  const taken = async (path: string): Promise<IntakeReply['media']> => {
    const reply = await core.takeFile(path)
    if (!reply.ok || !reply.data.media) throw new Error(`${path} was not taken in`)
    return reply.data.media
  }
  // The parts of the page's bridge that helpers of other benchmarks use.
  const client = { call, intake: () => taken(order.pdf) } as unknown as BridgeClient
  const during = async (work: () => Promise<unknown>): Promise<Tasks> => {
    await sleep(1000)
    const end = watchTasks()
    await work()
    return end()
  }

  await prepare(client, order.service)
  await sleep(5000)
  const idle = await during(() => sleep(5000))
  const meeting = await during(async () => {
    const media = await taken(order.audio)
    const { meeting: made } = (await call('meetings.import', { mediaId: media.id })) as {
      meeting: { id: string }
    }
    for (;;) {
      const now = (await call('meetings.get', { id: made.id })) as {
        meeting: { durationMs: number | null }
      }
      if (now.meeting.durationMs) break
      await sleep(100)
    }
  })
  const document = await during(async () => {
    const { id } = await importDocument(client, 'long.pdf', new Uint8Array())
    await parsed(client, id)
  })
  const search = await during(async () => {
    const words = ['meeting', '会议记录', 'document page', 'citation']
    for (const word of words)
      for (let typed = 1; typed <= word.length; typed++) {
        await call('library.search', { query: word.slice(0, typed), limit: 30 })
        await sleep(60)
      }
  })
  const archive = await during(async () => {
    await call('archive.export', {})
    for (;;) {
      const { job } = (await call('archive.state', {})) as { job: { state: string } | null }
      if (job && job.state !== 'running') {
        if (job.state !== 'done') throw new Error(`the archive ended ${job.state}`)
        return
      }
      await sleep(100)
    }
  })
  await core.stop()
  return { idle, meeting, document, archive, search }
}

process.once('message', (order: Order) => {
  void measure(order).then(
    (figures) => process.send?.(figures, () => process.exit(0)),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
