import type { createCodec } from './codec.ts'
import type { connectWorlds } from './worlds.ts'

/** Message of a page to the main process, through its binding. */
export type FromPage =
  | { readonly t: 'send'; readonly channel: string; readonly args: string }
  | { readonly t: 'invoke'; readonly id: number; readonly channel: string; readonly args: string }
  | {
      readonly t: 'post'
      readonly channel: string
      readonly data: string
      readonly ports: readonly string[]
    }
  | {
      readonly t: 'port'
      readonly id: string
      readonly data: string
      readonly ports: readonly string[]
    }
  | { readonly t: 'port-close'; readonly id: string }
  | { readonly t: 'ask'; readonly id: number; readonly name: string; readonly args: string }

/** Message of the main process to a page. */
export type ToPage =
  | {
      readonly t: 'send'
      readonly channel: string
      readonly args: string
      readonly ports: readonly string[]
    }
  | { readonly t: 'reply'; readonly id: number; readonly data: string; readonly error?: string }
  | {
      readonly t: 'port'
      readonly id: string
      readonly data: string
      readonly ports: readonly string[]
    }
  | { readonly t: 'port-close'; readonly id: string }

/** Parameters of the isolated world. */
export interface PreloadParts {
  readonly secret: string
  /** Name of the binding, a function of one string in the isolated world. */
  readonly binding: string
  /** Name of the function that the main process calls. */
  readonly entry: string
  /** `http://` origins of the page's world and their `app://` equivalents. */
  readonly platform: string
  readonly versions: Readonly<Record<string, string>>
  /** Requests the path of a file and pauses until it is known. */
  readonly pathOf: (file: File) => string
  /** The preload as a function body, null when the window has none. */
  readonly script:
    | ((require: unknown, module: unknown, exports: unknown, process: unknown) => void)
    | null
}

/**
 * Creates the isolated world of a page: `require('electron')` as in a sandboxed preload
 * (`lib/sandboxed_renderer/preload.ts`), then the preload. Injected into the page as source code.
 */
export function runPreload(
  parts: PreloadParts,
  makeCodec: typeof createCodec,
  connect: typeof connectWorlds,
): void {
  const same = (text: string): string => text
  const codec = makeCodec(same, same)
  const worlds = connect(parts.secret, 'isolated')
  const post = Reflect.get(globalThis, parts.binding) as (text: string) => void
  Reflect.deleteProperty(globalThis, parts.binding)
  const send = (message: FromPage): void => post(JSON.stringify(message))

  type Listener = (...args: unknown[]) => void
  const listeners = new Map<string, { readonly listener: Listener; readonly once: boolean }[]>()
  const emit = (channel: string, ...args: unknown[]): void => {
    for (const entry of listeners.get(channel) ?? []) {
      if (entry.once) ipcRenderer.removeListener(channel, entry.listener)
      entry.listener(...args)
    }
  }

  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let lastCall = 0
  const ask = (make: (id: number) => FromPage): Promise<unknown> => {
    const id = ++lastCall
    const answer = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }))
    send(make(id))
    return answer
  }

  // Ports: the other end of each is stored here, for messages of the main process.
  const ports = new Map<string, MessagePort>()
  let lastPort = 0
  const bind = (id: string, port: MessagePort): void => {
    ports.set(id, port)
    port.addEventListener('message', (event) => {
      const given = event.ports.map((each) => give(each))
      send({ t: 'port', id, data: codec.encode(event.data), ports: given })
    })
    port.addEventListener('close', () => {
      ports.delete(id)
      send({ t: 'port-close', id })
    })
    port.start()
  }
  const give = (port: MessagePort): string => {
    const id = `r${++lastPort}`
    bind(id, port)
    return id
  }
  const take = (id: string): MessagePort => {
    const { port1, port2 } = new MessageChannel()
    bind(id, port1)
    return port2
  }

  /**
   * Serializes arguments like Electron (`shell/renderer/api/electron_api_ipc_renderer.cc`): throws for values that cannot
   * be cloned.
   */
  const cloned = (value: unknown): string => {
    try {
      return codec.encode(structuredClone(value))
    } catch {
      throw new Error('An object could not be cloned.')
    }
  }
  const add = (channel: string, listener: Listener, once: boolean): unknown => {
    listeners.set(channel, [...(listeners.get(channel) ?? []), { listener, once }])
    return ipcRenderer
  }
  const ipcRenderer = {
    on: (channel: string, listener: Listener) => add(channel, listener, false),
    addListener: (channel: string, listener: Listener) => add(channel, listener, false),
    once: (channel: string, listener: Listener) => add(channel, listener, true),
    removeListener(channel: string, listener: Listener) {
      const left = (listeners.get(channel) ?? []).filter((entry) => entry.listener !== listener)
      listeners.set(channel, left)
      return ipcRenderer
    },
    off: (channel: string, listener: Listener) => ipcRenderer.removeListener(channel, listener),
    removeAllListeners(channel: string) {
      listeners.delete(channel)
      return ipcRenderer
    },
    listenerCount: (channel: string) => listeners.get(channel)?.length ?? 0,
    send: (channel: string, ...args: unknown[]) => send({ t: 'send', channel, args: cloned(args) }),
    // `lib/renderer/api/ipc-renderer.ts`
    async invoke(channel: string, ...args: unknown[]) {
      const text = cloned(args)
      return ask((id) => ({ t: 'invoke', id, channel, args: text }))
    },
    postMessage(channel: string, message: unknown, transfer: readonly MessagePort[] = []) {
      const data = cloned(message)
      send({ t: 'post', channel, data, ports: transfer.map((port) => give(port)) })
    },
  }

  const guard = (name: string, object: object): unknown =>
    new Proxy(object, {
      get(target, key) {
        if (typeof key === 'symbol' || key in target || key === 'then')
          return Reflect.get(target, key)
        throw new Error(`The stand-in has no ${name}.${key}`)
      },
    })
  const electron = guard('electron', {
    contextBridge: guard('contextBridge', {
      exposeInMainWorld: (key: string, api: unknown) => worlds.expose(key, api),
    }),
    ipcRenderer: guard('ipcRenderer', ipcRenderer),
    webUtils: guard('webUtils', {
      /**
       * Returns the path of the user's file, '' for one created by a page (`shell/renderer/api/electron_api_web_utils.cc`).
       * Only the debugger knows it, and it can answer a synchronous request while the page is paused.
       */
      getPathForFile(file: unknown): string {
        if (!(file instanceof File))
          throw new TypeError(
            'getPathForFile expected to receive a File object but one was not provided',
          )
        return parts.pathOf(file)
      },
    }),
    webFrame: guard('webFrame', {}),
  })

  worlds.handlers.set('ask', (name, ...args) => {
    const text = cloned(args)
    return ask((id) => ({ t: 'ask', id, name: String(name), args: text }))
  })

  const receive = (message: ToPage): void => {
    if (message.t === 'send') {
      const event = { sender: ipcRenderer, ports: message.ports.map((id) => take(id)) }
      return emit(message.channel, event, ...(codec.decode(message.args) as unknown[]))
    }
    if (message.t === 'reply') {
      const call = waiting.get(message.id)
      waiting.delete(message.id)
      if (message.error === undefined) call?.resolve(codec.decode(message.data))
      else call?.reject(new Error(message.error))
      return
    }
    const port = ports.get(message.id)
    if (message.t === 'port') {
      const moved = message.ports.map((id) => take(id))
      port?.postMessage(codec.decode(message.data), moved)
      return
    }
    ports.delete(message.id)
    port?.close()
  }
  Object.defineProperty(globalThis, parts.entry, {
    value: (text: string) => receive(JSON.parse(text) as ToPage),
  })

  if (!parts.script) return
  // Modules and globals of a sandboxed preload (`lib/sandboxed_renderer/preload.ts`).
  const require = (name: string): unknown => {
    if (name === 'electron' || name === 'electron/renderer' || name === 'electron/common')
      return electron
    throw new Error(`module not found: ${name}`)
  }
  const process = guard('process', {
    type: 'renderer',
    sandboxed: true,
    contextIsolated: true,
    platform: parts.platform,
    versions: parts.versions,
    env: {},
  })
  const module = { exports: {} }
  parts.script(require, module, module.exports, process)
}
