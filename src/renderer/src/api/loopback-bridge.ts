import { decode, encode } from '@msgpack/msgpack'
import type { Reply } from '../../../shared/bridge/reply.ts'
import {
  afterGap,
  maxCallBytes,
  tabKey,
  type PushedEvent,
  type Transport,
} from '../../../shared/bridge/transport.ts'
import { readTabKey } from './tab-key.ts'

/**
 * How the tab stands to Lectern. `closed`: Lectern was closed, or does not answer for so long that it must have ended
 * (a tab keeps trying quietly then); `signed-out`: it was started anew and does not know this tab, or the tab was
 * opened by hand (a new address lets one in); `reconnecting`: tries again by itself.
 */
export type LoopbackState = 'open' | 'reconnecting' | 'closed' | 'signed-out'

/** The bridge of a browser tab, with its own standing. */
export interface LoopbackTransport extends Transport {
  readonly state: LoopbackState
  /** Subscribes to changes of `state`; returns the function that unsubscribes. */
  onState(listener: (state: LoopbackState) => void): () => void
}

/** Sent by the host when Lectern is closed (src/main/loopback/frames.ts). */
const closedCode = 4001
const firstPause = 250
const maxPauseMs = 5000
/** A Lectern that only stumbled is back sooner than this, in milliseconds; afterwards the user is told that it ended. */
const patience = 10_000

type Frame =
  | { readonly t: 'res'; readonly id: number; readonly reply: Reply<unknown> }
  | { readonly t: 'push'; readonly event: PushedEvent }

/** Reaches main over the WebSocket this page came with. Resolves when the first connection stands or has failed. */
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

  /** A socket does not say why it was refused, so the page itself is asked for first. */
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
          // The host would close the socket on it, and with it every call that waits.
          if (bytes.byteLength > maxCallBytes) throw new Error('too long')
          live.send(bytes)
        } catch {
          // Something that cannot be written down: the page's mistake, told in the same form as any other.
          waiting.delete(id)
          resolve(broken('The request cannot be sent', false))
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

function broken(message = 'Lectern does not answer', retriable = true): Reply<never> {
  return { ok: false, error: { code: 'INTERNAL', message, retriable, at: Date.now() } }
}
