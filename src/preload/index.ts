import { contextBridge, ipcRenderer, webUtils, type IpcRendererEvent } from 'electron'
import {
  afterGap,
  channels,
  fileChunkBytes,
  type PageFile,
  type PortAnswer,
  type PortRequest,
  type PreloadTransport,
  type PushedEvent,
} from '../shared/contract/transport.ts'
import type { Reply } from '../shared/contract/reply.ts'

/** The page's end of a message channel; DOM types are not available here. */
interface PagePort {
  onmessage: ((event: { readonly data: unknown }) => void) | null
  postMessage(message: PortRequest): void
  close(): void
}

/** File being uploaded. */
interface Transfer {
  readonly file: PageFile
  onProgress(fraction: number): void
}

/** Milliseconds between two requests for a port, and their maximum number: main rejects a page that is not committed yet. */
const connectRetries = { pause: 100, times: 100 } as const

const waiting = new Map<number, (reply: Reply<unknown>) => void>()
const transfers = new Map<number, Transfer>()
const listeners = new Set<(event: PushedEvent) => void>()
const stateListeners = new Set<(state: 'open' | 'reconnecting') => void>()
let next = 1
let port: PagePort | null = null
let hadPort = false
/** Messages of calls made before the port was received. */
let unsent: PortRequest[] = []

const failed = (message: string): Reply<never> => ({
  ok: false,
  error: { code: 'INTERNAL', message, retriable: true, at: Date.now() },
})
const emit = (event: PushedEvent): void => {
  for (const listener of listeners) listener(event)
}
const become = (state: 'open' | 'reconnecting'): void => {
  for (const listener of stateListeners) listener(state)
}
/** Events were missed: reopens so that the page reloads its data. */
const readAgain = (): void => {
  become('open')
  afterGap.forEach(emit)
}
const send = (message: PortRequest): void => {
  if (port) port.postMessage(message)
  else unsent.push(message)
}
const settle = (id: number, reply: Reply<unknown>): void => {
  waiting.get(id)?.(reply)
  waiting.delete(id)
  transfers.delete(id)
}
const failAll = (): void => {
  unsent = []
  for (const id of waiting.keys()) settle(id, failed('Lectern is not responding'))
}

/** Sends a message that expects a reply; a message that cannot be cloned also gets one. */
function ask(message: (id: number) => PortRequest): { id: number; done: Promise<Reply<unknown>> } {
  const id = next++
  const done = new Promise<Reply<unknown>>((resolve) => {
    waiting.set(id, resolve)
    try {
      send(message(id))
    } catch {
      settle(id, {
        ok: false,
        error: {
          code: 'INTERNAL',
          message: 'The request could not be sent',
          retriable: false,
          at: Date.now(),
        },
      })
    }
  })
  return { id, done }
}

/** Reads the next chunk of a file without a path, and sends it. */
async function sendChunk(id: number, from: number): Promise<number> {
  const file = transfers.get(id)?.file
  if (!file) return from
  const to = Math.min(file.size, from + fileChunkBytes)
  const bytes = from < to ? await file.slice(from, to).arrayBuffer() : null
  send({ t: 'piece', id, bytes })
  return to
}

/** Sent bytes of each file. */
const offsets = new Map<number, number>()

function receive(answer: PortAnswer): void {
  switch (answer.t) {
    case 'res':
      offsets.delete(answer.id)
      return settle(answer.id, answer.reply)
    case 'push':
      if (answer.confirm !== undefined) send({ t: 'confirm', mark: answer.confirm })
      return emit(answer.event)
    case 'missed':
      become('reconnecting')
      return readAgain()
    case 'progress': {
      const transfer = transfers.get(answer.id)
      return transfer?.onProgress(transfer.file.size === 0 ? 1 : answer.bytes / transfer.file.size)
    }
    case 'more':
      sendChunk(answer.id, offsets.get(answer.id) ?? 0).then(
        (to) => offsets.set(answer.id, to),
        () => send({ t: 'unreadable', id: answer.id }),
      )
  }
}

function connect(times = 0): void {
  if (port) return
  if (times >= connectRetries.times) return failAll()
  ipcRenderer.send(channels.connect)
  setTimeout(() => connect(times + 1), connectRetries.pause)
}

ipcRenderer.on(channels.port, (event: IpcRendererEvent) => {
  const [fresh] = event.ports as readonly PagePort[]
  if (!fresh) return
  port = fresh
  fresh.onmessage = ({ data }) => receive(data as PortAnswer)
  for (const message of unsent.splice(0)) fresh.postMessage(message)
  if (hadPort) readAgain()
  hadPort = true
})
ipcRenderer.on(channels.lost, () => {
  port?.close()
  port = null
  failAll()
  become('reconnecting')
})
ipcRenderer.on(channels.back, () => connect())
ipcRenderer.on(channels.push, (_event: IpcRendererEvent, pushed: PushedEvent) => emit(pushed))
connect()

const subscribe = <L>(to: Set<L>, listener: L): (() => void) => {
  to.add(listener)
  return () => void to.delete(listener)
}

/** Everything the page can access. The port and the paths of files stay here. */
const transport: PreloadTransport = {
  request(route, payload) {
    // The first request of every loaded page.
    if (route === 'app.info') ipcRenderer.send(channels.ready)
    return ask((id) => ({ t: 'req', id, route, payload })).done
  },
  on: (listener) => subscribe(listeners, listener),
  onState: (listener) => subscribe(stateListeners, listener),
  takeFile(file, target, onProgress) {
    const path = webUtils.getPathForFile(file as Parameters<typeof webUtils.getPathForFile>[0])
    const { id, done } = ask((call) => ({
      t: 'file',
      id: call,
      target,
      name: file.name,
      size: file.size,
      path: path === '' ? null : path,
    }))
    if (waiting.has(id)) transfers.set(id, { file, onProgress })
    return { done, stop: () => send({ t: 'cancel', id }) }
  },
}

contextBridge.exposeInMainWorld('lectern', transport)
