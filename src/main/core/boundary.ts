import { createBirpc, type BirpcReturn } from 'birpc'
import type { Reply } from '../../shared/bridge/reply.ts'
import type { PushedEvent } from '../../shared/bridge/transport.ts'
import type { OpenedFile } from '../host.ts'
import type { ServiceDescription } from './services.ts'

/** A request for a page's file or a medium, as plain data. */
export interface PlainRequest {
  readonly url: string
  readonly method: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array | null
}

/** Its answer. The body is read piece by piece with `read`, under the number `body`; null when there is none. */
export interface PlainResponse {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: number | null
}

/** Bytes of a request's body that may cross: blocks of live sound. Files go over the page's own port. */
export const maxBodyBytes = 16 * 1024 * 1024

/** What the host process calls in the core. */
export interface CoreFunctions {
  /** Builds the app; rejects when it cannot be built. */
  create(services: ServiceDescription): Promise<void>
  start(): Promise<void>
  request(connectionId: string, route: string, payload: unknown): Promise<Reply<unknown>>
  connect(connectionId: string): Promise<void>
  disconnect(connectionId: string): Promise<void>
  fetch(request: PlainRequest): Promise<PlainResponse>
  /** The next piece of a body; null at its end. Rejects when the source broke. */
  read(body: number): Promise<Uint8Array | null>
  /** Nobody reads this body any more. */
  cancel(body: number): Promise<void>
  takeFile(path: string): Promise<Reply<OpenedFile>>
  resumed(): Promise<void>
  stopRecording(): Promise<void>
  stop(): Promise<void>
}

/** What the core calls in the host process. */
export interface HostFunctions {
  /** Calls one of the host's services by its name. */
  service(name: string, args: readonly unknown[]): Promise<unknown>
  /** An event for a connection that the host itself holds. */
  push(connectionId: string, event: PushedEvent): void
  /** Begins a process that runs `workers/own-process.ts`; its port comes as a {@link ProcessMessage} with this id. */
  openProcess(id: number): void
}

/**
 * Opens one side of the link between the two processes. Calls take as long as they take (a dialog may stay open for an
 * hour); the other side ending is told by `$close`. What cannot be cloned fails the call it belongs to.
 */
export const openLink = <Remote extends object, Local extends object>(
  functions: Local,
  channel: { post(message: unknown): void; on(listener: (message: unknown) => void): void },
): BirpcReturn<Remote, Local> =>
  createBirpc<Remote, Local>(functions, {
    ...channel,
    timeout: -1,
    // With a name it is an answer that could not be sent: the library sends the error in its place then.
    onGeneralError: (_error, name) => name !== undefined,
  })

/** Sent beside the calls, with the page's port: from now on that page is served over it. */
export interface PageMessage {
  readonly t: 'page'
  readonly id: string
}

/** Sent beside the calls, with the port of a process that the core asked for. */
export interface ProcessMessage {
  readonly t: 'process'
  readonly id: number
}

/** Whether a message between the two processes hands over a process's port. */
export const isProcessMessage = (message: unknown): message is ProcessMessage =>
  typeof message === 'object' && message !== null && (message as { t?: unknown }).t === 'process'

/** Whether a message between the two processes hands over a page's port. */
export const isPageMessage = (message: unknown): message is PageMessage =>
  typeof message === 'object' && message !== null && (message as { t?: unknown }).t === 'page'
