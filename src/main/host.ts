import type { OpenProcess } from '../system/own-process/program.ts'
import type { ShortcutName, ShortcutState } from '../shared/bridge/shortcuts.ts'
import type { Reply } from '../shared/bridge/reply.ts'
import type {
  LoginState,
  MicrophoneAccess,
  OwnFolder,
  PrivacyPage,
  Progress,
} from '../shared/bridge/system.ts'
import type { IntakeReply, PushedEvent } from '../shared/bridge/transport.ts'
import type { CertificateFact } from '../shared/model/settings.ts'
import type { UpdateFault, UpdateSupport } from '../shared/model/updates.ts'
import type { CheckOutcome, HostCheckId } from '../shared/self-test/checks.ts'
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

/** What a file became that the user opened with Lectern: a medium, or null for an archive, whose import waits for the user. */
export interface OpenedFile {
  readonly media: IntakeReply['media'] | null
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
  /**
   * Takes in a file that the user opened with Lectern, by its absolute path; an archive of a library is only looked into. Never rejects.
   * Only hosts call it: a page cannot name a path.
   */
  takeFile(path: string): Promise<Reply<OpenedFile>>
  start(): Promise<void>
  /** The computer woke from sleep: connections that were open before are dead, and what waits may try again at once. */
  resumed?(): void
  /** Asks the pages to end what they record; resolves once all of it is written and nothing is recorded any more. */
  stopRecording(): Promise<void>
  /** Aborts streams (at most 1 s), writes what came, closes the store; safe to call twice. */
  stop(): Promise<void>
}

/** A host's window for one question (`hosting/quick-window.ts`). */
export interface QuickHost {
  show(): void
  /** Puts it away with what is written in it. */
  hide(): Promise<void>
  /** Goes on with a conversation in the main window. */
  leave(conversationId: string): void
}

/** A host's shortcuts of the whole system (`hosting/shortcuts.ts`). */
export interface ShortcutHost {
  /** Takes these keys, '' none; `taken` leaves those before. */
  use(name: ShortcutName, keys: string): Promise<ShortcutState>
}

/** What the host asks of the operating system. */
export interface SystemHost {
  /** Whether the system lets the app use the microphone, and whether it has a page of settings for that. */
  microphone(): Promise<{ readonly access: MicrophoneAccess; readonly settings: boolean }>
  /** Lets the system ask its user, where it does that. */
  askMicrophone(): Promise<MicrophoneAccess>
  /** Opens a page of the system's settings; false where there is none. */
  openSettings(page: PrivacyPage): Promise<boolean>
  /** Opens one of Lectern's own folders in the file manager; false when that failed. */
  showFolder(folder: OwnFolder): Promise<boolean>
  /** Whether the app starts when its user logs in. */
  login(): Promise<LoginState>
  setLogin(on: boolean): Promise<LoginState>
  /** Shows how far the work is that this connection's page tells of, together with that of the others, beside the app's icon. */
  progress(progress: Progress, connectionId: string): Promise<void>
}

/** What the user is asked before a key can go another way. */
export type TrustQuestion =
  | { readonly kind: 'proxy'; readonly proxy: string }
  | { readonly kind: 'certificates'; readonly certificates: readonly CertificateFact[] }
  | { readonly kind: 'noCertificates' }

/** A file of certificates that the user chose, or why it is refused. */
export type ChosenCertificates =
  | { readonly name: string; readonly bytes: Uint8Array }
  | { readonly problem: 'caDataFolder' | 'caNetworkPath' | 'caSize' | 'caUnreadable' }

/** Questions to the user that no page can see, answer or script. The window is that of this connection. */
export interface TrustHost {
  confirm(question: TrustQuestion, connectionId: string): Promise<boolean>
  /** Null when the user chooses none. */
  chooseCertificates(connectionId: string): Promise<ChosenCertificates | null>
}

/** Something to tell a user who looks elsewhere; one with the same id takes its place. */
export interface HostNotice {
  readonly id: string
  readonly title: string
  readonly body: string
  /** The recording that a click opens; null for the app alone. */
  readonly recordingId: string | null
}

/** What a file is saved as: for each kind the dialog opens in the folder that was chosen last. */
export type FileUse = 'audio' | 'video' | 'image' | 'document' | 'data' | 'archive'

/** What a save dialog starts with. */
export interface SaveDialogOptions {
  /** Safe as a file name on every system, with its extension. */
  readonly suggestedName: string
  /** Without a dot. */
  readonly extension: string
  readonly use: FileUse
}

/** A host's way to files outside of the data folder. Paths go between host and app only, never to a page. */
export interface FileHost {
  /** The absolute path that the user chose, or null. The dialog belongs to the window of this connection. */
  saveDialog(request: SaveDialogOptions, connectionId: string): Promise<string | null>
  /** The next dialog for files of this use begins in the folder of `path`. */
  rememberFolder(path: string, use: FileUse): Promise<void>
  openDialog(extensions: readonly string[], connectionId: string): Promise<string | null>
  showInFolder(path: string): Promise<void>
  /** Starts a drag of this file in the window of this connection; one that is gone drags nothing. */
  startDrag(path: string, connectionId: string): Promise<void>
}

/** A verified package that a host is to install; plain data. */
export interface InstallPlan {
  readonly version: string
  /** The package on this disk, its name on the mirror, its bytes, and its SHA-512 in base64 from the signed feed. */
  readonly path: string
  readonly name: string
  readonly size: number
  readonly sha512: string
  /** It is the version before: going back is the only downgrade. */
  readonly isRollBack: boolean
}

/** What came of a step of an installation. */
export type InstallOutcome =
  | { readonly ok: true }
  | { readonly ok: false; readonly fault: UpdateFault; readonly detail: string }

/** Installing new versions, where a host can. */
export interface HostUpdates {
  /** Whether this installation can install an update by itself. */
  support(): Promise<UpdateSupport>
  /** Checks a package once more and makes everything ready, so that the restart is short. Nothing is replaced yet. */
  prepare(plan: InstallPlan): Promise<InstallOutcome>
  /** Keeps the package of the running version in a folder, where there is one; null where there is none. */
  keepCurrent(folder: string): Promise<{ readonly name: string } | null>
  /** Installs what was prepared and starts it; answers only when that failed. */
  restart(): Promise<InstallOutcome>
  /** Installs what was prepared when Lectern quits, or does not any more. */
  installOnQuit(enabled: boolean): Promise<void>
}

/**
 * What only the host can do or knows. In Electron the app runs in a process of its own, so this crosses a process
 * boundary: plain data, and functions that take and return plain data and are asynchronous or return nothing.
 */
export interface HostServices {
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
  /** `http://host:port` of the system's proxy for this URL, or null for a direct connection. */
  proxyFor(url: string): Promise<string | null>
  /** Gives an address that passed the link gate to the system; false when it was declined, or nothing could open it. */
  openExternal(url: string): Promise<boolean>
  /**
   * Something is recorded now, or not any more: the host keeps the computer awake and shows it. With the connection of the
   * page that records; null when it is not known or nothing is recorded.
   */
  onRecording?(live: boolean, connectionId: string | null): void
  /** Prints a page that an export wrote into a PDF; absent where the browser prints. */
  readonly printPdf?: (htmlPath: string) => Promise<Uint8Array>
  /** Files outside of the data folder; absent where the browser saves and picks them. */
  readonly fileHost?: FileHost
  /** Permissions of files that the user saves elsewhere; 0600 when absent. */
  readonly userFileMode?: number
  /** The small window for one question; absent where a host has no windows. */
  readonly quick?: QuickHost
  /** What the operating system decides; absent where the app runs in a browser. */
  readonly system?: SystemHost
  /** A check of the self-test that only the host can make: windows, permissions, shortcuts. Absent where it has none of them. */
  hostCheck?(id: HostCheckId): Promise<CheckOutcome>
  /** Shortcuts of the whole system; absent where a host has none. */
  readonly shortcuts?: ShortcutHost
  /** Shows a notice by the system; false when it cannot. Absent where the page shows its own. */
  readonly notify?: (notice: HostNotice) => Promise<boolean>
  /** Without it, what needs a confirmation outside of the page is refused. */
  readonly trust?: TrustHost
  /** Absent where a host cannot be updated: a browser tab. */
  readonly updates?: HostUpdates
}

/** What `createApp` is built from: the host's services, and what belongs to the app's own process. */
export interface HostDeps extends HostServices {
  readonly keychain: Keychain
  readonly log: Log
  /** Shared by log, router and keys: what is registered here never leaves the app's process as text. */
  readonly redactor: Redactor
  readonly workerUrl: WorkerUrl
  /** Begins processes for programs that work on files. */
  readonly openProcess: OpenProcess
  readonly clock: Clock
  readonly ids: Ids
}
