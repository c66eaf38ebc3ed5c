import type { AppEvent, StreamEvent } from '../../../../shared/contract/events.ts'
import type { Reply } from '../../../../shared/contract/reply.ts'
import type { ReplyOf, RequestOf, RouteName } from '../../../../shared/contract/routes.ts'
import type {
  IntakeReply,
  PreloadTransport,
  Transport,
} from '../../../../shared/contract/transport.ts'
import { followStream, type Follower } from './event-subscription.ts'
import { uploadFile, type UploadOptions } from './upload.ts'

/** Typed client for all requests from the page to main. */
export interface Client {
  /** Sends a request to a route. Never rejects. */
  request<N extends RouteName>(name: N, payload: RequestOf<N>): Promise<Reply<ReplyOf<N>>>
  onEvent(listener: (event: AppEvent) => void): () => void
  /** Follows a stream from its current position; returns a function that stops following without stopping the stream. */
  follow(streamId: string, follower: Follower): () => void
  upload(file: File, options?: UploadOptions): Promise<Reply<IntakeReply>>
  /** Returns the URL of a stored file, for `src` attributes. */
  mediaUrl(mediaId: string): string
  /** Subscribes to the state of the bridge; calls the listener immediately with the current state. */
  onBridge(listener: (state: BridgeState) => void): () => void
  /** Subscribes to the bridge being open again after it was lost: events may have been missed. */
  onReopen(listener: () => void): () => void
}

/** Dependencies of a client: the transport to main, opened once, and the upload function. */
interface ClientDeps {
  open(): Promise<WatchedTransport>
  upload?: typeof uploadFile
}

/** Creates the client. Requests made before the bridge is open wait for it; the page renders meanwhile. */
export function createClient({ open, upload = uploadFile }: ClientDeps): Client {
  const eventListeners = new Set<(event: AppEvent) => void>()
  const streamListeners = new Set<(event: StreamEvent) => void>()
  const bridgeListeners = new Set<(state: BridgeState) => void>()
  const reopenListeners = new Set<() => void>()
  let bridge: BridgeState = 'connecting'
  let mediaBase = '/media/'

  const become = (state: BridgeState): void => {
    if (state === bridge) return
    const back = bridge !== 'connecting' && state === 'open'
    bridge = state
    for (const listener of bridgeListeners) listener(state)
    if (back) for (const listener of reopenListeners) listener()
  }

  const ready: Promise<WatchedTransport | null> = open().then(
    (transport) => {
      transport.on((pushed) => {
        if (pushed.channel === 'app') for (const listener of eventListeners) listener(pushed.event)
        else for (const listener of streamListeners) listener(pushed.event)
      })
      transport.onState?.(become)
      become(transport.state ?? 'open')
      return transport
    },
    () => {
      become('closed')
      return null
    },
  )

  const request: Client['request'] = async (name, payload) => {
    const transport = await ready
    if (!transport) return unreachable()
    const reply = (await transport.request(name, plain(payload))) as Reply<ReplyOf<typeof name>>
    if (name === 'app.info' && reply.ok) mediaBase = (reply.data as ReplyOf<'app.info'>).mediaBase
    return reply
  }

  const onReopen: Client['onReopen'] = (listener) => subscribe(reopenListeners, listener)

  return {
    request,
    onEvent: (listener) => subscribe(eventListeners, listener),
    follow: (streamId, follower) =>
      followStream(
        {
          attach: (id) => request('streams.attach', { streamId: id }),
          detach: (id) => void request('streams.detach', { streamId: id }),
          onStream: (listener) => subscribe(streamListeners, listener),
          onReopen,
        },
        streamId,
        follower,
      ),
    upload,
    mediaUrl: (mediaId) => mediaBase + encodeURIComponent(mediaId),
    onBridge(listener) {
      listener(bridge)
      return subscribe(bridgeListeners, listener)
    },
    onReopen,
  }
}

function subscribe<L>(listeners: Set<L>, listener: L): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Returns the payload without Vue proxies and absent fields: neither is cloned correctly. */
function plain(payload: unknown): unknown {
  return JSON.parse(JSON.stringify(payload))
}

function unreachable(): Reply<never> {
  return {
    ok: false,
    error: {
      code: 'INTERNAL',
      message: 'Lectern is not responding',
      retriable: true,
      at: Date.now(),
    },
  }
}

declare global {
  interface Window {
    /** Exposed by the preload of the Electron host; absent in a browser tab. */
    readonly lectern?: PreloadTransport
  }
}

/**
 * State of the bridge. `connecting` until the first response; `closed` recovers only when Lectern restarts, `signed-out` never.
 */
export type BridgeState = 'connecting' | 'open' | 'reconnecting' | 'closed' | 'signed-out'

/** Transport with its connection state, if it reports one. */
export interface WatchedTransport extends Transport {
  readonly state?: Exclude<BridgeState, 'connecting'>
  onState?(listener: (state: Exclude<BridgeState, 'connecting'>) => void): () => void
}

/** Opens the transport to main: the preload's, or the WebSocket of the loopback host. */
export async function openTransport(): Promise<WatchedTransport> {
  if (window.lectern) return window.lectern
  const { connectLoopback } = await import('./loopback-bridge.ts')
  return connectLoopback()
}
