import { createBirpc, type BirpcReturn } from 'birpc'
import type { Reply } from '../../../shared/contract/reply.ts'
import type { PushedEvent } from '../../../shared/contract/transport.ts'
import type { OpenedFile } from '../../host.ts'
import type { ServiceDescription } from './services.ts'

/** Request for a file of the page or for media, as plain data. */
interface PlainRequest {
  readonly url: string
  readonly method: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array | null
}

/**
 * Response to it. The body is read in chunks with `read`, under the number `body`; null when there is none.
 */
interface PlainResponse {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: number | null
}

/** Maximum number of bytes of a request body: blocks of live audio. Files use the page's own port. */
export const maxBodyBytes = 16 * 1024 * 1024

/** Functions of the core that the host process calls. */
export interface CoreFunctions {
  /** Builds the app; rejects on failure. */
  create(services: ServiceDescription): Promise<void>
  start(): Promise<void>
  request(connectionId: string, route: string, payload: unknown): Promise<Reply<unknown>>
  connect(connectionId: string): Promise<void>
  disconnect(connectionId: string): Promise<void>
  fetch(request: PlainRequest): Promise<PlainResponse>
  /** Returns the next chunk of a body; null at its end. Rejects if the source failed. */
  read(body: number): Promise<Uint8Array | null>
  /** Reports that the body is no longer read. */
  cancel(body: number): Promise<void>
  takeFile(path: string): Promise<Reply<OpenedFile>>
  resumed(): Promise<void>
  stopRecording(): Promise<void>
  stop(): Promise<void>
}

/** Functions of the host process that the core calls. */
export interface HostFunctions {
  /** Calls a service of the host by its name. */
  service(name: string, args: readonly unknown[]): Promise<unknown>
  /** Pushes an event to a connection of the host itself. */
  push(connectionId: string, event: PushedEvent): void
  /**
   * Starts a process that runs `workers/own-process.ts`; its port is sent as a {@link ProcessMessage} with this ID.
   */
  openProcess(id: number): void
}

/**
 * Opens one side of the link between the two processes. Calls have no time limit (a dialog may stay open for an hour);
 * `$close` reports that the other side has ended. Values that cannot be cloned fail only their call.
 */
export const openLink = <Remote extends object, Local extends object>(
  functions: Local,
  channel: { post(message: unknown): void; on(listener: (message: unknown) => void): void },
): BirpcReturn<Remote, Local> =>
  createBirpc<Remote, Local>(functions, {
    ...channel,
    timeout: -1,
    // An error with a name is a reply that could not be sent: the library sends the error instead.
    onGeneralError: (_error, name) => name !== undefined,
  })

/**
 * Message that hands over the port of a page, which is served over it from now on. Sent outside the calls.
 */
export interface PageMessage {
  readonly t: 'page'
  readonly id: string
}

/** Message that hands over the port of a process that the core requested. Sent outside the calls. */
export interface ProcessMessage {
  readonly t: 'process'
  readonly id: number
}

/** Whether a message between the two processes hands over the port of a process. */
export const isProcessMessage = (message: unknown): message is ProcessMessage =>
  typeof message === 'object' && message !== null && (message as { t?: unknown }).t === 'process'

/** Whether a message between the two processes hands over the port of a page. */
export const isPageMessage = (message: unknown): message is PageMessage =>
  typeof message === 'object' && message !== null && (message as { t?: unknown }).t === 'page'
