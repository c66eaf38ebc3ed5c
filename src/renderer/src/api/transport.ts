import type { PreloadTransport, Transport } from '../../../shared/bridge/transport.ts'

declare global {
  interface Window {
    /** Exposed by the preload of the Electron host; absent in a browser tab. */
    readonly lectern?: PreloadTransport
  }
}

/** How the page stands to main. `connecting` until the first answer; `closed` comes back only when Lectern does, `signed-out` never. */
export type BridgeState = 'connecting' | 'open' | 'reconnecting' | 'closed' | 'signed-out'

/** A transport, and where it can tell, its own standing. */
export interface WatchedTransport extends Transport {
  readonly state?: Exclude<BridgeState, 'connecting'>
  onState?(listener: (state: Exclude<BridgeState, 'connecting'>) => void): () => void
}

/** Finds the way to main: the preload's, or the WebSocket of the loopback host. */
export async function openTransport(): Promise<WatchedTransport> {
  if (window.lectern) return window.lectern
  const { connectLoopback } = await import('./loopback-bridge.ts')
  return connectLoopback()
}
