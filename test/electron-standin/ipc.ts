import { EventEmitter } from 'node:events'
import { fromPage, toPage } from './addresses.ts'
import type { CdpSession } from './cdp.ts'
import { createCodec } from './page/codec.ts'
import type { FromPage, ToPage } from './page/preload.ts'
import {
  deserializeValue,
  MessagePortMain,
  PortLink,
  serializeValue,
  receivePorts,
  type LinkMessage,
} from './ports.ts'
import { reportEvent } from './control.ts'
import type { WebContents } from './web-contents.ts'

type InvokeHandler = (event: unknown, ...args: unknown[]) => unknown

/** `ipcMain`, and the `ipc` of web contents (`lib/browser/ipc-main-impl.ts`). */
export class IpcMain extends EventEmitter {
  readonly handlers = new Map<string, InvokeHandler>()

  constructor() {
    super()
    this.on('error', () => {})
  }

  handle(channel: string, handler: InvokeHandler): void {
    if (this.handlers.has(channel))
      throw new Error(`Attempted to register a second handler for '${channel}'`)
    if (typeof handler !== 'function')
      throw new TypeError(`Expected handler to be a function, but found type '${typeof handler}'`)
    this.handlers.set(channel, handler)
  }

  handleOnce(channel: string, handler: InvokeHandler): void {
    this.handle(channel, (event, ...args) => {
      this.removeHandler(channel)
      return handler(event, ...args)
    })
  }

  removeHandler(channel: string): void {
    this.handlers.delete(channel)
  }
}

/** The instance of the process. */
export const ipcMain = new IpcMain()

/** Codec for values sent to and from pages: URLs are translated. */
const codec = createCodec(toPage, fromPage)

/** Requests from the page's own world, by name (`page/main-world.ts`). */
export type PageRequests = Readonly<Record<string, (...args: never[]) => unknown>>

/**
 * Connection between one window's page and the main process: a binding in one direction, a function call in the other.
 */
export class PageLink {
  private readonly contents: WebContents
  private readonly asks: PageRequests
  private readonly secret: { readonly binding: string; readonly entry: string }
  private session: CdpSession | null = null
  private world: number | null = null
  private link: PortLink
  private waiting: ToPage[] = []

  constructor(
    contents: WebContents,
    secret: { binding: string; entry: string },
    asks: PageRequests,
  ) {
    this.contents = contents
    this.asks = asks
    this.secret = secret
    this.link = this.freshLink()
  }

  private freshLink(): PortLink {
    return new PortLink('m', (message: LinkMessage) =>
      this.post(
        message.t === 'port'
          ? { ...message, data: codec.encode(deserializeValue(message.data)) }
          : message,
      ),
    )
  }

  /** Sets the isolated world of a new document (its preload has run); null when the document is unloaded. */
  enter(session: CdpSession, world: number | null): void {
    this.session = session
    this.world = world
    if (world === null) return
    for (const message of this.waiting.splice(0)) this.post(message)
  }

  /** Handles the unloading of the document, which closes everything its ports were connected to. */
  leave(): void {
    this.world = null
    this.waiting = []
    const old = this.link
    this.link = this.freshLink()
    old.closeAll()
  }

  /**
   * `webContents.send` (`shell/browser/api/electron_api_web_frame_main.cc`): throws for values that cannot be cloned.
   */
  send(channel: string, args: readonly unknown[]): void {
    const list = deserializeValue(serializeValue([...args]))
    this.post({ t: 'send', channel, args: codec.encode(list), ports: [] })
  }

  /** `webContents.postMessage`: the message and ports for `event.ports`. */
  postMessage(channel: string, message: unknown, transfer: readonly MessagePortMain[]): void {
    const value = deserializeValue(serializeValue(message))
    const ports = receivePorts(transfer).map((end) => this.link.give(end))
    this.post({ t: 'send', channel, args: codec.encode([value]), ports })
  }

  /** Handles a call of the page's binding. */
  receive(text: string): void {
    const message = JSON.parse(text) as FromPage
    switch (message.t) {
      case 'send':
        return this.emit(message.channel, this.event(), codec.decode(message.args) as unknown[])
      case 'post':
        return this.emit(
          message.channel,
          {
            ...this.event(),
            ports: message.ports.map((id) => new MessagePortMain(this.link.take(id))),
          },
          [codec.decode(message.data)],
        )
      case 'invoke':
        return void this.invoke(message)
      case 'ask':
        return void this.ask(message)
      case 'port':
        return this.link.receive({ ...message, data: serializeValue(codec.decode(message.data)) })
      default:
        return this.link.receive(message)
    }
  }

  private event(): object {
    const { contents } = this
    return {
      sender: contents,
      senderFrame: contents.mainFrame,
      processId: 1,
      frameId: 1,
      type: 'frame',
      ports: [],
    }
  }

  private emit(channel: string, event: object, args: readonly unknown[]): void {
    reportEvent('ipc', { channel })
    this.contents.emit('ipc-message', event, channel, ...args)
    this.contents.ipc.emit(channel, event, ...args)
    ipcMain.emit(channel, event, ...args)
  }

  /** `-ipc-invoke` of `lib/browser/ipc-dispatch.ts`. */
  private async invoke({ id, channel, args }: Extract<FromPage, { t: 'invoke' }>): Promise<void> {
    const { link } = this
    const fail = (error: unknown): void => {
      console.error(`Error occurred in handler for '${channel}':`, error)
      const words = `Error invoking remote method '${channel}': ${String(error)}`
      this.post({ t: 'reply', id, data: 'null', error: words })
    }
    const handler = this.contents.ipc.handlers.get(channel) ?? ipcMain.handlers.get(channel)
    if (!handler) return fail(new Error(`No handler registered for '${channel}'`))
    try {
      const result = await handler(this.event(), ...(codec.decode(args) as unknown[]))
      const data = codec.encode(deserializeValue(serializeValue(result)))
      // A document that was unloaded in the meantime gets no reply.
      if (link === this.link) this.post({ t: 'reply', id, data })
    } catch (error) {
      if (link === this.link) fail(error)
    }
  }

  private async ask({ id, name, args }: Extract<FromPage, { t: 'ask' }>): Promise<void> {
    const { link } = this
    const handler = this.asks[name]
    try {
      if (!handler) throw new Error(`Nothing answers ${name}`)
      const value = await handler(...(codec.decode(args) as never[]))
      if (link === this.link) this.post({ t: 'reply', id, data: codec.encode(value) })
    } catch (error) {
      if (link === this.link) this.post({ t: 'reply', id, data: 'null', error: String(error) })
    }
  }

  private post(message: ToPage): void {
    if (this.world === null) return void this.waiting.push(message)
    this.session?.sendIgnoringErrors('Runtime.callFunctionOn', {
      functionDeclaration: `function (text) { globalThis[${JSON.stringify(this.secret.entry)}]?.(text) }`,
      executionContextId: this.world,
      arguments: [{ value: JSON.stringify(message) }],
      silent: true,
    })
  }
}
