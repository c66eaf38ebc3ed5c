import { decode, encode } from '@msgpack/msgpack'
import type { Reply } from '../../shared/bridge/reply.ts'
import type { PushedEvent } from '../../shared/bridge/transport.ts'
import { isWellFormedPack } from './message-pack.ts'

/** A call as the page sends it. */
export interface RequestFrame {
  readonly id: number
  readonly route: string
  readonly payload: unknown
}

/** Codes the WebSocket is closed with; the page reads them (renderer/src/api/loopback-bridge.ts). */
export const closeCodes = {
  /** Lectern was closed. */
  closed: 4001,
  /** The page read too slowly; it may come back and attach again. */
  slow: 4008,
  /** Something that is no frame of ours. */
  malformed: 4400,
} as const

// What is undefined is left out, as Electron's own cloning would keep it apart from null.
const packing = { ignoreUndefined: true } as const

/** An answer as bytes. */
export const replyFrame = (id: number, reply: Reply<unknown>): Uint8Array =>
  encode({ t: 'res', id, reply }, packing)

/** A pushed event as bytes. */
export const pushFrame = (event: PushedEvent): Uint8Array => encode({ t: 'push', event }, packing)

// Beside the look ahead, the decoder's own: no list of a call is longer, and it has no bytes.
const unpacking = {
  maxArrayLength: 200_000,
  maxMapLength: 10_000,
  maxBinLength: 0,
  maxExtLength: 0,
} as const

/** Reads what a page sent; null when it is no call. The payload is judged by the router. */
export function readRequest(bytes: Uint8Array): RequestFrame | null {
  if (!isWellFormedPack(bytes)) return null
  try {
    const frame: unknown = decode(bytes, unpacking)
    if (typeof frame !== 'object' || frame === null) return null
    const { t, id, route, payload } = frame as Record<string, unknown>
    if (t !== 'req' || !Number.isSafeInteger(id) || typeof route !== 'string') return null
    return { id: Number(id), route, payload }
  } catch {
    return null
  }
}
