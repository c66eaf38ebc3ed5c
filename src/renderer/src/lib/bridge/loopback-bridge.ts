import { decode, encode } from '@msgpack/msgpack'
import type { Reply } from '../../../../shared/contract/reply.ts'
import {
  afterGap,
  maxCallBytes,
  tabKey,
  type PushedEvent,
  type Transport,
} from '../../../../shared/contract/transport.ts'
import { readTabKey } from './tab-key.ts'

/**
 * Connection state of the tab. `closed`: Lectern was closed, or has not responded for so long that it must have ended
 * (the tab keeps retrying silently); `signed-out`: Lectern was restarted and does not know this tab, or the tab was
 * opened manually (a new URL is required); `reconnecting`: retries automatically.
 */
export type LoopbackState = 'open' | 'reconnecting' | 'closed' | 'signed-out'

/** Bridge of a browser tab, with its connection state. */
export interface LoopbackTransport extends Transport {
  readonly state: LoopbackState
  /** Subscribes to changes of `state`; returns the function that unsubscribes. */
  onState(listener: (state: LoopbackState) => void): () => void
}

/** Close code sent by the host when Lectern is closed (src/main/hosts/loopback/frames.ts). */
const closedCode = 4001
const firstPause = 250
const maxPauseMs = 5000
/** Milliseconds within which an interrupted Lectern reconnects; afterward the user is informed that it ended. */
const patience = 10_000

type Frame =
  | { readonly t: 'res'; readonly id: number; readonly reply: Reply<unknown> }
  | { readonly t: 'push'; readonly event: PushedEvent }

/** Connects to main over the WebSocket of this page's server. Resolves when the first connection is open or has failed. */
export function connectLoopback(): Promise<LoopbackTransport> {
  const address = `${location.origin.replace(/^http/, 'ws')}/bridge`
  const key = readTabKey()
  const waiting = new Map<number, (reply: Reply<unknown>) => void>()
  const listeners = new Set<(event: PushedEvent) => void>()
  const stateListeners = new Set<(state: LoopbackState) => void>()
  let socket: WebSocket | null = null
  let state: LoopbackState = key === null ? 'signed-out' : 'reconnecting'
  let next = 1
  let pause = firstPause
  let wasOpen = false
  let givingUp: ReturnType<typeof setTimeout> | undefined

  const become = (now: LoopbackState): void => {
    if (now === state) return
    state = now
    for (const listener of stateListeners) listener(now)
  }
  const emit = (event: PushedEvent): void => {
    for (const listener of listeners) listener(event)
  }
  const stopWaiting = (): void => {
    clearTimeout(givingUp)
    givingUp = undefined
  }
  const failWaiting = (): void => {
    for (const resolve of waiting.values()) resolve(broken())
    waiting.clear()
  }
  const receive = (bytes: ArrayBuffer): void => {
    const frame = decode(new Uint8Array(bytes)) as Frame
    if (frame.t === 'push') return emit(frame.event)
    waiting.get(frame.id)?.(frame.reply)
    waiting.delete(frame.id)
  }

  const open = (done: () => void): void => {
    const fresh = new WebSocket(address, [tabKey.protocol, tabKey.protocolPrefix + (key ?? '')])
    fresh.binaryType = 'arraybuffer'
    fresh.addEventListener('open', () => {
      socket = fresh
      pause = firstPause
      stopWaiting()
      become('open')
      if (wasOpen) afterGap.forEach(emit)
      wasOpen = true
      done()
    })
    fresh.addEventListener('message', ({ data }) => receive(data as ArrayBuffer))
    fresh.addEventListener('close', ({ code }) => {
      socket = null
      failWaiting()
      done()
      if (code === closedCode) {
        stopWaiting()
        return become('closed')
      }
      if (state !== 'closed') become('reconnecting')
      givingUp ??= setTimeout(() => become('closed'), patience)
      void comeBack()
    })
  }

  /** Reconnects. A socket does not report why it was refused, so the page itself is requested first. */
  const comeBack = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, pause))
    pause = Math.min(pause * 2, maxPauseMs)
    const reply = await fetch('/', {
      method: 'HEAD',
      cache: 'no-store',
      headers: { [tabKey.header]: key ?? '' },
    }).catch(() => null)
    if (reply?.status === 401) {
      stopWaiting()
      return become('signed-out')
    }
    if (!reply?.ok) return comeBack()
    open(() => {})
  }

  const transport: LoopbackTransport = {
    get state() {
      return state
    },
    request(route, payload) {
      const live = socket
      if (!live || live.readyState !== WebSocket.OPEN) return Promise.resolve(broken())
      return new Promise((resolve) => {
        const id = next++
        waiting.set(id, resolve)
        try {
          const bytes = encode({ t: 'req', id, route, payload }, { ignoreUndefined: true })
          // Otherwise the host would close the socket, and with it every pending call.
          if (bytes.byteLength > maxCallBytes) throw new Error('payload too large')
          live.send(bytes)
        } catch {
          // The value cannot be serialized: an error of the page, reported in the same form as any other.
          waiting.delete(id)
          resolve(broken('The request could not be sent', false))
        }
      })
    },
    on(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    onState(listener) {
      stateListeners.add(listener)
      return () => void stateListeners.delete(listener)
    },
  }
  if (key === null) return Promise.resolve(transport)
  return new Promise((resolve) => open(() => resolve(transport)))
}

function broken(message = 'Lectern is not responding', retriable = true): Reply<never> {
  return { ok: false, error: { code: 'INTERNAL', message, retriable, at: Date.now() } }
}
