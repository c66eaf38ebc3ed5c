import type { WebSocket } from 'ws'
import type { PushedEvent } from '../../../shared/contract/transport.ts'
import type { Clock } from '../../deps.ts'
import type { App, PageConnection } from '../../host.ts'
import { closeCodes, pushFrame, readRequest, replyFrame } from './frames.ts'

/** Maximum bytes buffered for a page, maximum pending calls of it, and milliseconds between two heartbeats. */
export const bridgeBounds = { buffered: 8 * 1024 * 1024, calls: 256, heartbeatMs: 20_000 } as const

/** Type of the limits, so that tests can reduce them. */
export type BridgeBounds = Readonly<Record<keyof typeof bridgeBounds, number>>

/** Serves one page over its socket until it closes. */
export function serveSocket(
  socket: WebSocket,
  id: string,
  deps: {
    readonly app: App
    readonly clock: Clock
    /** Encodes pushed events as bytes: the same event is sent to several pages. */
    pack(event: PushedEvent): Uint8Array
    readonly bounds?: BridgeBounds
  },
): void {
  const { app, clock } = deps
  const bounds = deps.bounds ?? bridgeBounds
  let open = true
  let calls = 0
  let alive = true

  let mayWait = bounds.buffered

  const send = (bytes: Uint8Array): void => {
    if (!open) return
    // A single large message may be buffered in addition: a page that reads receives it, however long that takes.
    if (socket.bufferedAmount <= bounds.buffered) mayWait = bounds.buffered + bytes.length
    socket.send(bytes)
    if (socket.bufferedAmount <= mayWait) return
    // A page that does not read must not fill this process: it reconnects and attaches to its streams again.
    leave()
    socket.close(closeCodes.slow, 'too slow')
    setTimeout(() => socket.terminate(), 1000).unref()
  }
  const connection: PageConnection = { id, push: (event) => send(deps.pack(event)) }

  const answer = async (bytes: Uint8Array): Promise<void> => {
    const frame = readRequest(bytes)
    if (!frame) return socket.close(closeCodes.malformed, 'invalid request')
    if (calls >= bounds.calls) {
      const error = {
        code: 'REFUSED',
        message: 'Too many parallel requests',
        retriable: true,
      } as const
      return send(replyFrame(frame.id, { ok: false, error: { ...error, at: clock() } }))
    }
    calls++
    const reply = await app.request(connection, frame.route, frame.payload)
    calls--
    send(replyFrame(frame.id, reply))
  }

  const heartbeat = setInterval(() => {
    if (!alive) return socket.terminate()
    alive = false
    socket.ping()
  }, bounds.heartbeatMs)
  heartbeat.unref()

  const leave = (): void => {
    if (!open) return
    open = false
    clearInterval(heartbeat)
    app.disconnect(connection)
  }

  socket.on('pong', () => (alive = true))
  socket.on('message', (data, isBinary) => {
    if (!isBinary || !(data instanceof Buffer))
      return socket.close(closeCodes.malformed, 'invalid request')
    void answer(data)
  })
  // A broken socket also closes; the error itself adds no information.
  socket.on('error', () => {})
  socket.on('close', leave)
  app.connect(connection)
}

/** Encodes each event once, however many pages receive it. */
export function createPacker(): (event: PushedEvent) => Uint8Array {
  const packed = new WeakMap<object, Uint8Array>()
  return (event) => {
    // Each page receives its own envelope around the same event.
    const known = packed.get(event.event)
    if (known) return known
    const bytes = pushFrame(event)
    packed.set(event.event, bytes)
    return bytes
  }
}
