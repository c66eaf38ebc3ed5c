import type { PreloadTransport, Transport } from '../../../../shared/contract/transport.ts'

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
