import type { OpenProcess } from '../system/own-process/program.ts'
import type { ShortcutName, ShortcutState } from '../shared/contract/shortcuts.ts'
import type { Reply } from '../shared/contract/reply.ts'
import type {
  LoginState,
  MicrophoneAccess,
  OwnFolder,
  PrivacyPage,
  Progress,
} from '../shared/contract/system.ts'
import type { IntakeReply, PushedEvent } from '../shared/contract/transport.ts'
import type { CertificateFact } from '../shared/contract/settings.ts'
import type { UpdateFault, UpdateSupport } from '../shared/model/updates.ts'
import type { CheckOutcome, HostCheckId } from '../shared/self-test/checks.ts'
import type { Clock, Ids, Log, WorkerUrl } from './deps.ts'
import type { Keychain } from './platform/secrets/keychain.ts'
import type { Redactor } from './platform/security/redact.ts'

/** One page: an Electron window, or a browser tab of the loopback host. */
export interface PageConnection {
  /** Unique among the connections of one run. */
  readonly id: string
  /** Sends an event to the page. Best effort: never throws, and a disconnected page misses it. */
  push(event: PushedEvent): void
}

/**
 * Result for a file that the user opened with Lectern: its media, or null for an archive, whose import waits for the user.
 */
export interface OpenedFile {
  readonly media: IntakeReply['media'] | null
}

/** The app as seen by a host: one router, one web-standard handler, start and stop. */
export interface App {
  /** Handles a bridge call and returns an envelope; never throws and never rejects. */
  request(connection: PageConnection, route: string, payload: unknown): Promise<Reply<unknown>>
  /** Registers a page, which receives pushed events from now on. */
  connect(connection: PageConnection): void
  /** Unregisters a page: its calls are aborted, its streams continue. */
  disconnect(connection: PageConnection): void
  /**
   * Serves pages (`/`, `/assets/...`), `PUT /intake` and `/media/<id>` with Range. Trusts its caller: hosts check origins
   * first.
   */
  fetch(request: Request, connection?: PageConnection): Promise<Response>
  /**
   * Imports a file that the user opened with Lectern, by its absolute path; a library archive is only inspected. Never rejects.
   * Only hosts call it: a page cannot name a path.
   */
  takeFile(path: string): Promise<Reply<OpenedFile>>
  start(): Promise<void>
  /** Called after the computer woke up: open connections are dead, and waiting work may retry immediately. */
  resumed?(): void
  /** Asks the pages to stop recording; resolves once everything is written and no recording is running. */
  stopRecording(): Promise<void>
  /** Aborts streams (within 1 s), saves what they received, closes the store; safe to call twice. */
  stop(): Promise<void>
}

/** The host's window for a quick question (`host-support/quick-window.ts`). */
export interface QuickHost {
  show(): void
  /** Hides it and keeps the entered text. */
  hide(): Promise<void>
  /** Continues a chat in the main window. */
  leave(conversationId: string): void
}

/** The host's global shortcuts (`host-support/shortcuts.ts`). */
export interface ShortcutHost {
  /** Registers these keys, '' for none; with `taken` the previous ones stay. */
  use(name: ShortcutName, keys: string): Promise<ShortcutState>
}

/** Functions of the operating system. */
export interface SystemHost {
  /** Returns whether the system lets the app use the microphone, and whether it has a settings page for that. */
  microphone(): Promise<{ readonly access: MicrophoneAccess; readonly settings: boolean }>
  /** Lets the system ask the user for permission, where it does that. */
  askMicrophone(): Promise<MicrophoneAccess>
  /** Opens a page of the system's settings; false if there is none. */
  openSettings(page: PrivacyPage): Promise<boolean>
  /** Opens one of Lectern's own folders in the file manager; false if that failed. */
  showFolder(folder: OwnFolder): Promise<boolean>
  /** Returns whether the app starts when the user logs in. */
  login(): Promise<LoginState>
  setLogin(on: boolean): Promise<LoginState>
  /** Shows the progress reported by this connection's page, combined with that of the others, on the app's icon. */
  progress(progress: Progress, connectionId: string): Promise<void>
}

/** Question to the user before API keys can be sent over another route. */
export type TrustQuestion =
  | { readonly kind: 'proxy'; readonly proxy: string }
  | { readonly kind: 'certificates'; readonly certificates: readonly CertificateFact[] }
  | { readonly kind: 'noCertificates' }

/** A certificate file that the user chose, or why it is refused. */
export type ChosenCertificates =
  | { readonly name: string; readonly bytes: Uint8Array }
  | { readonly problem: 'caDataFolder' | 'caNetworkPath' | 'caSize' | 'caUnreadable' }

/** Questions to the user that no page can see, answer or script, shown in the window of a connection. */
export interface TrustHost {
  confirm(question: TrustQuestion, connectionId: string): Promise<boolean>
  /** Returns null if the user cancels. */
  chooseCertificates(connectionId: string): Promise<ChosenCertificates | null>
}

/** A notification for a user who is not viewing the app; one with the same ID replaces it. */
interface HostNotice {
  readonly id: string
  readonly title: string
  readonly body: string
  /** The recording that a click opens; null to open only the app. */
  readonly recordingId: string | null
  /** Whether only its own page shows the event already, or any page of the app: then a user of any window needs no notification. */
  readonly about: 'page' | 'app'
}

/** Types of saved files; for each, the dialog opens in the folder chosen last. */
export type FileUse = 'audio' | 'video' | 'image' | 'document' | 'data' | 'archive'

/** Initial values of a save dialog. */
export interface SaveDialogOptions {
  /** Suggested name with extension, valid as a file name on every system. */
  readonly suggestedName: string
  /** Extension without a dot. */
  readonly extension: string
  readonly use: FileUse
}

/**
 * Access of a host to files outside of the data folder. Paths are exchanged between host and app only, never with a page.
 */
export interface FileHost {
  /** Returns the absolute path that the user chose, or null. The dialog belongs to the window of this connection. */
  saveDialog(request: SaveDialogOptions, connectionId: string): Promise<string | null>
  /** Makes the next dialog for files of this use open in the folder of `path`. */
  rememberFolder(path: string, use: FileUse): Promise<void>
  openDialog(extensions: readonly string[], connectionId: string): Promise<string | null>
  showInFolder(path: string): Promise<void>
  /** Starts a drag of this file in the window of this connection; does nothing if that is closed. */
  startDrag(path: string, connectionId: string): Promise<void>
}

/** A verified package for a host to install; plain data. */
export interface InstallPlan {
  readonly version: string
  /**
   * Path of the package on disk; its name on the mirror, size in bytes, and base64 SHA-512 from the signed feed follow.
   */
  readonly path: string
  readonly name: string
  readonly size: number
  readonly sha512: string
  /** Whether it is the previous version: rolling back is the only downgrade. */
  readonly isRollBack: boolean
}

/** Result of an installation step. */
export type InstallOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly fault: UpdateFault; readonly detail: string }

/** Installs new versions, where a host supports that. */
export interface HostUpdates {
  /** Returns whether this installation can update itself. */
  support(): Promise<UpdateSupport>
  /** Verifies a package again and prepares everything, so that the restart is short. Nothing is replaced yet. */
  prepare(plan: InstallPlan): Promise<InstallOutcome>
  /** Saves the package of the running version in a folder; null if there is none. */
  keepCurrent(folder: string): Promise<{ readonly name: string } | null>
  /** Installs the prepared package and starts it; resolves only on failure. */
  restart(): Promise<InstallOutcome>
  /** Sets whether the prepared package is installed when Lectern quits. */
  installOnQuit(enabled: boolean): Promise<void>
}

/**
 * Functions and facts that only the host has. In Electron the app runs in its own process, so this crosses a process
 * boundary: plain data, and functions that take and return plain data and are asynchronous or return nothing.
 */
export interface HostServices {
  readonly host: 'electron' | 'loopback'
  /** The data folder: database, media, backups, logs. */
  readonly home: string
  readonly version: string
  /** Value of `process.platform`. */
  readonly platform: string
  /** Folder of the built page (out/renderer). */
  readonly rendererDir: string
  /** Folder of the models bundled with Lectern. */
  readonly modelsDir: string
  /** Prefix of media URLs as the page uses them, ending with `/`. */
  readonly mediaBase: string
  /** Returns `http://host:port` of the system's proxy for this URL, or null for a direct connection. */
  proxyFor(url: string): Promise<string | null>
  /** Passes a URL that passed the link check to the system; false if it was declined or nothing could open it. */
  openExternal(url: string): Promise<boolean>
  /**
   * Called when a recording starts or ends: the host keeps the computer awake and shows an indicator. `connectionId` is the
   * connection of the recording page; null if it is unknown or nothing is recorded.
   */
  onRecording?(live: boolean, connectionId: string | null): void
  /** Prints a page written by an export to PDF; absent where the browser prints. */
  readonly printPdf?: (htmlPath: string) => Promise<Uint8Array>
  /** Files outside of the data folder; absent where the browser saves and picks files. */
  readonly fileHost?: FileHost
  /** Permissions of files that the user saves elsewhere; defaults to 0600. */
  readonly userFileMode?: number
  /** The small window for a quick question; absent in hosts without windows. */
  readonly quick?: QuickHost
  /** Functions of the operating system; absent where the app runs in a browser. */
  readonly system?: SystemHost
  /**
   * Runs a self-test check that only the host can run: windows, permissions, shortcuts. Absent where it supports none of them.
   */
  hostCheck?(id: HostCheckId): Promise<CheckOutcome>
  /** Global shortcuts; absent in hosts without them. */
  readonly shortcuts?: ShortcutHost
  /** Shows a system notification; false if it cannot. Absent where the page shows its own. */
  readonly notify?: (notice: HostNotice) => Promise<boolean>
  /** If absent, everything that needs a confirmation outside of the page is refused. */
  readonly trust?: TrustHost
  /** Absent if a host cannot be updated, as in a browser tab. */
  readonly updates?: HostUpdates
}

/** Dependencies of `createApp`: the host's services, and parts of the app's own process. */
export interface HostDeps extends HostServices {
  readonly keychain: Keychain
  readonly log: Log
  /** Shared by log, router and keys: values registered here never leave the app's process as text. */
  readonly redactor: Redactor
  readonly workerUrl: WorkerUrl
  /** Starts processes for programs that process files. */
  readonly openProcess: OpenProcess
  readonly clock: Clock
  readonly ids: Ids
}
