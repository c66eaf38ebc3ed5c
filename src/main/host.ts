import type { QuickState } from '../shared/bridge/quick.ts'
import type { Reply } from '../shared/bridge/reply.ts'
import type { PushedEvent } from '../shared/bridge/transport.ts'
import type { Clock, Ids, Log, WorkerUrl } from './deps.ts'
import type { Keychain } from './secrets/keychain.ts'
import type { Redactor } from './security/redact.ts'

/** One page: an Electron window, or a browser tab of the loopback host. */
export interface PageConnection {
  /** Unique among the connections of one run. */
  readonly id: string
  /** Hands an event to the page. Best effort: never throws, and a page that is gone misses it. */
  push(event: PushedEvent): void
}

/** The app as a host sees it: one router, one web-standard handler, start and stop. */
export interface App {
  /** Answers a bridge call with an envelope; never throws and never rejects. */
  request(connection: PageConnection, route: string, payload: unknown): Promise<Reply<unknown>>
  /** A page appeared: from now on it gets pushed events. */
  connect(connection: PageConnection): void
  /** A page is gone: its calls are aborted, its streams go on. */
  disconnect(connection: PageConnection): void
  /** Pages (`/`, `/assets/...`), `PUT /intake` and `/media/<id>` with Range. Trusts its caller: hosts check origins first. */
  fetch(request: Request, connection?: PageConnection): Promise<Response>
  start(): Promise<void>
  /** The computer woke from sleep: connections that were open before are dead, and what waits may try again at once. */
  resumed?(): void
  /** Aborts streams (at most 1 s), writes what came, closes the store; safe to call twice. */
  stop(): Promise<void>
}

/** A host's window for one question (`hosting/quick-window.ts`). */
export interface QuickHost {
  show(): void
  /** Takes a shortcut of the system, '' none; `taken` leaves what was. */
  use(shortcut: string): QuickState
  /** Goes on with a conversation in the main window. */
  leave(conversationId: string): void
}

/** What a host gives to `createApp`. */
export interface HostDeps {
  readonly host: 'electron' | 'loopback'
  /** The data folder: database, media, backups, logs. */
  readonly home: string
  readonly version: string
  /** `process.platform`. */
  readonly platform: string
  /** The built page (out/renderer). */
  readonly rendererDir: string
  /** The models that came with Lectern. */
  readonly modelsDir: string
  /** Prefix of media addresses as the page uses them, ends with `/`. */
  readonly mediaBase: string
  readonly keychain: Keychain
  readonly log: Log
  /** Shared by log, router and keys: what is registered here never leaves main as text. */
  readonly redactor: Redactor
  readonly workerUrl: WorkerUrl
  /** `http://host:port` of the system's proxy for this URL, or null for a direct connection. */
  proxyFor(url: string): Promise<string | null>
  /** Gives an address that passed the link gate to the system; false when it was declined, or nothing could open it. */
  openExternal(url: string): Promise<boolean>
  /** Something is recorded now, or not any more: the host keeps the computer awake and shows it. */
  onRecording?(live: boolean): void
  /** Prints a page that an export wrote into a PDF; absent where the browser prints. */
  readonly printPdf?: (htmlPath: string) => Promise<Uint8Array>
  /** The system's own dialogs for an archive; absent where the browser saves and picks files. Null when nothing was chosen. */
  readonly archiveDialogs?: {
    save(name: string): Promise<string | null>
    open(): Promise<string | null>
  }
  /** The small window for one question; absent where a host has no windows. */
  readonly quick?: QuickHost
  readonly clock: Clock
  readonly ids: Ids
  /** The colour scheme the system asks for now. */
  background(): 'light' | 'dark'
}
