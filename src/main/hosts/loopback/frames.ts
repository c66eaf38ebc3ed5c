import { decode, encode } from '@msgpack/msgpack'
import type { Reply } from '../../../shared/contract/reply.ts'
import type { PushedEvent } from '../../../shared/contract/transport.ts'
import { isWellFormedPack } from './message-pack.ts'

/** A call sent by the page. */
interface RequestFrame {
  readonly id: number
  readonly route: string
  readonly payload: unknown
}

/** Close codes of the WebSocket; the page reads them (renderer/src/lib/bridge/loopback-bridge.ts). */
export const closeCodes = {
  /** Lectern was closed. */
  closed: 4001,
  /** The page read too slowly; it may reconnect and attach again. */
  slow: 4008,
  /** The page sent something that is not a valid frame. */
  malformed: 4400,
} as const

// Undefined values are left out, since Electron's own cloning would distinguish them from null.
const packing = { ignoreUndefined: true } as const

/** Encodes a reply. */
export const replyFrame = (id: number, reply: Reply<unknown>): Uint8Array =>
  encode({ t: 'res', id, reply }, packing)

/** Encodes a pushed event. */
export const pushFrame = (event: PushedEvent): Uint8Array => encode({ t: 'push', event }, packing)

// The decoder's own limits, in addition to the check before: no list of a call is longer, and no call contains bytes.
const unpacking = {
  maxArrayLength: 200_000,
  maxMapLength: 10_000,
  maxBinLength: 0,
  maxExtLength: 0,
} as const

/** Parses data from a page; null if it is not a call. The router validates the payload. */
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
