import { EventEmitter } from 'node:events'
import { WebSocket } from 'ws'

/** Payload of a command or an event of the DevTools protocol. */
export type Fields = Readonly<Record<string, unknown>>

interface Reply {
  readonly resolve: (result: Fields) => void
  readonly reject: (error: Error) => void
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Fields
  readonly result?: Fields
  readonly error?: { readonly message: string }
  readonly sessionId?: string
}

/** Session of the DevTools protocol: the browser's, or that of one target. Emits each event under its method. */
export class CdpSession extends EventEmitter {
  readonly id: string | undefined
  private readonly connection: CdpConnection

  constructor(connection: CdpConnection, id: string | undefined) {
    super()
    this.connection = connection
    this.id = id
    this.setMaxListeners(0)
  }

  /** Sends a command; rejects with the browser's message, or if the session is gone. */
  send<T = Fields>(method: string, params: Fields = {}): Promise<T> {
    return this.connection.send(method, params, this.id) as Promise<T>
  }

  /** Sends a command whose failure only means that the target is gone. */
  sendIgnoringErrors(method: string, params: Fields = {}): void {
    this.send(method, params).catch(() => {})
  }
}

/** Connection to a browser, with flat sessions: one socket is used for all targets. */
export class CdpConnection {
  readonly browser: CdpSession
  private readonly socket: WebSocket
  private readonly sessions = new Map<string, CdpSession>()
  private readonly waiting = new Map<number, Reply & { readonly session: string | undefined }>()
  private lastId = 0

  private constructor(socket: WebSocket) {
    this.socket = socket
    this.browser = new CdpSession(this, undefined)
    socket.on('message', (data: Buffer) => this.receive(JSON.parse(data.toString()) as Message))
    socket.on('close', () => this.closed())
    socket.on('error', () => {})
  }

  /** Connects to the URL that a browser printed. */
  static async open(url: string): Promise<CdpConnection> {
    const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 0 })
    await new Promise<void>((resolve, reject) => {
      socket.once('open', () => resolve())
      socket.once('error', reject)
    })
    return new CdpConnection(socket)
  }

  /** Attaches to a target; the session ends with it. */
  async attach(targetId: string): Promise<CdpSession> {
    const { sessionId } = await this.browser.send<{ sessionId: string }>('Target.attachToTarget', {
      targetId,
      flatten: true,
    })
    return this.session(sessionId)
  }

  send(method: string, params: Fields, session: string | undefined): Promise<Fields> {
    if (this.socket.readyState !== WebSocket.OPEN)
      return Promise.reject(new Error('The browser is gone'))
    const id = ++this.lastId
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject, session })
      this.socket.send(
        JSON.stringify({ id, method, params, ...(session && { sessionId: session }) }),
      )
    })
  }

  close(): void {
    this.socket.close()
  }

  private session(id: string): CdpSession {
    const known = this.sessions.get(id)
    if (known) return known
    const made = new CdpSession(this, id)
    this.sessions.set(id, made)
    return made
  }

  private receive(message: Message): void {
    if (message.id !== undefined) {
      const waiting = this.waiting.get(message.id)
      this.waiting.delete(message.id)
      if (message.error) waiting?.reject(new Error(message.error.message))
      else waiting?.resolve(message.result ?? {})
      return
    }
    const session = message.sessionId === undefined ? this.browser : this.session(message.sessionId)
    if (message.method === 'Target.detachedFromTarget') this.ended(message.params?.['sessionId'])
    if (message.method !== undefined) session.emit(message.method, message.params ?? {})
  }

  private ended(id: unknown): void {
    for (const [key, waiting] of this.waiting) {
      if (waiting.session !== id) continue
      this.waiting.delete(key)
      waiting.reject(new Error('The target is gone'))
    }
    if (typeof id !== 'string') return
    this.sessions.get(id)?.emit('detached')
    this.sessions.delete(id)
  }

  private closed(): void {
    for (const waiting of this.waiting.values()) waiting.reject(new Error('The browser is gone'))
    this.waiting.clear()
    this.browser.emit('closed')
  }
}
