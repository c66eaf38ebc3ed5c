/** Web preferences of every window, including Electron's defaults, so that a changed default has no effect. */
export const webPreferences = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  disableBlinkFeatures: 'Auxclick',
  safeDialogs: true,
  // Uses only the system's own dictionaries (host-support/spelling.ts).
  spellcheck: true,
  v8CacheOptions: 'bypassHeatCheck',
  backgroundThrottling: true,
} as const

/** Developer tools are disabled in a release because they bypass every other restriction. */
export const devTools = { packaged: false, unpackaged: true } as const

/** Minimum usable window size and initial size, in device-independent pixels. */
export const windowSize = { minWidth: 720, minHeight: 480, width: 1240, height: 820 } as const

/** Window color before the page is painted: the page's color, to avoid a flash. */
export const windowBackground = { light: '#f6f5f3', dark: '#161718' } as const

/** Initial and minimum size of the quick window, in device-independent pixels. */
export const quickWindowSize = { width: 680, height: 460, minWidth: 420, minHeight: 240 } as const

/** Options of the quick window: always on top, in no window list, frameless, hidden until it has content. */
export const quickWindowOptions = {
  ...quickWindowSize,
  show: false,
  frame: false,
  alwaysOnTop: true,
  skipTaskbar: true,
  resizable: true,
  minimizable: false,
  maximizable: false,
  fullscreenable: false,
} as const

/** Shows the quick window on every desktop. Without the option, macOS would remove the app's icon from the Dock. */
export const onAllWorkspaces = {
  visibleOnFullScreen: true,
  skipTransformProcessType: true,
} as const

/** Web preferences of the hidden print window: its content has no script, and scripts are disabled. */
export const printPreferences = {
  ...webPreferences,
  javascript: false,
  spellcheck: false,
  webgl: false,
  backgroundThrottling: false,
} as const

/** An in-memory session. */
export const printSession = 'lectern-print'

/** PDF of a printed conversation: A4, portrait, with an outline of headings; margins in inches. */
export const pdfOptions = {
  pageSize: 'A4',
  landscape: false,
  printBackground: true,
  margins: { top: 0.6, bottom: 0.6, left: 0.6, right: 0.6 },
  generateTaggedPDF: true,
  generateDocumentOutline: true,
} as const

/** Privileges of the `app` scheme: an origin like https, with streams for audio and a cache for compiled scripts. */
export const schemePrivileges = {
  standard: true,
  secure: true,
  supportFetchAPI: true,
  stream: true,
  codeCache: true,
  corsEnabled: true,
  bypassCSP: false,
  allowServiceWorkers: false,
  allowExtensions: false,
} as const

/** Switches of the browser engine: no background network access; on Wayland, global shortcuts use the desktop portal. */
export const engineSwitches: readonly (readonly [name: string, value?: string])[] = [
  ['disable-background-networking'],
  ['disable-component-update'],
  ['disable-domain-reliability'],
  ['no-pings'],
  ['dns-prefetch-disable'],
  ['enable-features', 'GlobalShortcutsPortal'],
]

/**
 * Whether to enable the engine's sandbox, by the command line. The launcher of an AppImage adds `--no-sandbox` where the
 * system allows no user namespaces (Ubuntu 24.04); enabling the sandbox then would remove that switch after the first
 * processes were started without it, and no window would ever open.
 */
export const enablesSandbox = (args: readonly string[]): boolean => !args.includes('--no-sandbox')

/** WebRTC is not covered by the policy header or the request filter: this blocks its network access too. */
export const webRtcPolicy = 'disable_non_proxied_udp'

/** Crash dumps stay on this computer. */
export const crashReports = { uploadToServer: false, compress: true } as const
