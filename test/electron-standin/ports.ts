import { EventEmitter } from 'node:events'
import { Deserializer, Serializer } from 'node:v8'

/** Message of a port: a serialized value and the ports transferred with it. */
export interface PortMessage {
  readonly data: Uint8Array
  readonly ports: readonly PortEnd[]
}

/**
 * Serializes like Electron (`shell/common/v8_util.cc`): values that cannot be cloned throw the same error message. Uses
 * V8's own serializer instead of Node's, which would preserve Buffers.
 */
export function serializeValue(value: unknown): Uint8Array {
  try {
    const serializer = new Serializer()
    serializer.writeHeader()
    serializer.writeValue(value)
    return serializer.releaseBuffer()
  } catch {
    throw new Error('An object could not be cloned.')
  }
}

/** Deserializes the output of {@link serializeValue}. */
export function deserializeValue(data: Uint8Array): unknown {
  const deserializer = new Deserializer(data)
  deserializer.readHeader()
  return deserializer.readValue()
}

/** One end of a message pipe, wherever its owner is. */
export class PortEnd {
  private peer: PortEnd | null = null
  private readonly queue: PortMessage[] = []
  private receiver: ((message: PortMessage) => void) | null = null
  private onClose: (() => void) | null = null
  private flushing = false
  private closed = false

  /** Creates two ends: a message posted to one is received by the other. */
  static pair(): readonly [PortEnd, PortEnd] {
    const one = new PortEnd()
    const other = new PortEnd()
    one.peer = other
    other.peer = one
    return [one, other]
  }

  post(message: PortMessage): void {
    if (!this.closed) this.peer?.accept(message)
  }

  /**
   * Starts to deliver queued and new messages, asynchronously and in order; `closed` is called once when the other end is
   * closed.
   */
  receive(receiver: (message: PortMessage) => void, closed: () => void): void {
    this.receiver = receiver
    this.onClose = closed
    this.flush()
  }

  /** Stops delivery: the end moves to another owner. */
  release(): void {
    this.receiver = null
    this.onClose = null
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    const { peer } = this
    this.peer = null
    peer?.lost()
  }

  private accept(message: PortMessage): void {
    this.queue.push(message)
    this.flush()
  }

  private flush(): void {
    if (this.flushing || !this.receiver) return
    this.flushing = true
    setImmediate(() => {
      this.flushing = false
      while (this.receiver) {
        const next = this.queue.shift()
        if (!next) break
        this.receiver(next)
      }
      if (!this.peer && this.receiver) this.ended()
    })
  }

  private lost(): void {
    this.peer = null
    this.flush()
  }

  private ended(): void {
    const notifyClosed = this.onClose
    this.release()
    this.closed = true
    notifyClosed?.()
  }
}

const endOf = new WeakMap<MessagePortMain, PortEnd | null>()

/** A port in the main process or in a utility process (`lib/browser/message-port-main.ts`, `shell/browser/api/message_port.cc`). */
export class MessagePortMain extends EventEmitter {
  constructor(end: PortEnd) {
    super()
    endOf.set(this, end)
  }

  postMessage(message: unknown, transfer?: readonly MessagePortMain[]): void {
    const end = endOf.get(this)
    if (!end) return
    const data = serializeValue(message)
    if (transfer !== undefined && !Array.isArray(transfer))
      throw new TypeError('transferables must be an array of MessagePorts')
    if (transfer?.includes(this))
      throw new Error(`Port at index ${transfer.indexOf(this)} contains the source port.`)
    end.post({ data, ports: receivePorts(transfer) })
  }

  start(): void {
    endOf.get(this)?.receive(
      ({ data, ports }) =>
        this.emit('message', {
          data: deserializeValue(data),
          ports: ports.map((port) => new MessagePortMain(port)),
        }),
      () => this.close(),
    )
  }

  close(): void {
    const end = endOf.get(this)
    if (!end) return
    endOf.set(this, null)
    end.release()
    end.close()
    this.emit('close')
  }
}

/**
 * Takes the ends out of transferred ports, which are unusable afterwards (`MessagePort::DisentanglePorts`).
 */
export function receivePorts(ports: readonly MessagePortMain[] = []): readonly PortEnd[] {
  const seen = new Set<MessagePortMain>()
  ports.forEach((port, index) => {
    if (!(port instanceof MessagePortMain))
      throw new TypeError(`Port at index ${index} is not a valid port`)
    if (seen.has(port)) throw new Error(`Port at index ${index} is a duplicate.`)
    if (!endOf.get(port)) throw new Error(`Port at index ${index} is already neutered.`)
    seen.add(port)
  })
  return ports.map((port) => {
    const end = endOf.get(port) as PortEnd
    endOf.set(port, null)
    end.release()
    return end
  })
}

/** Two connected ports (`lib/browser/api/message-channel.ts`). */
export class MessageChannelMain {
  readonly port1: MessagePortMain
  readonly port2: MessagePortMain
  constructor() {
    const [one, two] = PortEnd.pair()
    this.port1 = new MessagePortMain(one)
    this.port2 = new MessagePortMain(two)
  }
}

/** Messages between two processes about ports that one of them holds for the other. */
export type LinkMessage =
  | {
      readonly t: 'port'
      readonly id: string
      readonly data: Uint8Array
      readonly ports: readonly string[]
    }
  | { readonly t: 'port-close'; readonly id: string }

/** Transfers ports to another process: each transferred end gets an ID that both sides use. */
export class PortLink {
  private readonly ends = new Map<string, PortEnd>()
  private readonly send: (message: LinkMessage) => void
  private readonly prefix: string
  private last = 0

  /** `prefix` distinguishes the IDs of the two sides. */
  constructor(prefix: string, send: (message: LinkMessage) => void) {
    this.prefix = prefix
    this.send = send
  }

  /** Transfers an end to the other side. */
  give(end: PortEnd): string {
    const id = `${this.prefix}${++this.last}`
    this.bind(id, end)
    return id
  }

  /** Receives an end that the other side transferred under this ID. */
  take(id: string): PortEnd {
    const [mine, theirs] = PortEnd.pair()
    this.bind(id, theirs)
    return mine
  }

  receive(message: LinkMessage): void {
    const end = this.ends.get(message.id)
    if (!end) return
    if (message.t === 'port')
      return end.post({ data: message.data, ports: message.ports.map((id) => this.take(id)) })
    this.ends.delete(message.id)
    end.release()
    end.close()
  }

  /** Closes all ports after the other side has ended. */
  closeAll(): void {
    for (const end of this.ends.values()) {
      end.release()
      end.close()
    }
    this.ends.clear()
  }

  private bind(id: string, end: PortEnd): void {
    this.ends.set(id, end)
    end.receive(
      ({ data, ports }) =>
        this.send({ t: 'port', id, data, ports: ports.map((port) => this.give(port)) }),
      () => {
        this.ends.delete(id)
        this.send({ t: 'port-close', id })
      },
    )
  }
}
