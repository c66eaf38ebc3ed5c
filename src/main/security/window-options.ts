/** Web preferences of every window, written out even where they are Electron's defaults, so that a changed default changes nothing. */
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
  // With the system's own dictionaries alone (hosting/spelling.ts).
  spellcheck: true,
  v8CacheOptions: 'bypassHeatCheck',
  backgroundThrottling: true,
} as const

/** Developer tools in a release are closed: they are a way around every other row. */
export const devTools = { packaged: false, unpackaged: true } as const

/** Smallest usable window in device-independent pixels, and the first size. */
export const windowSize = { minWidth: 720, minHeight: 480, width: 1240, height: 820 } as const

/** Colour of the window before the page has drawn: that of the page, so that nothing flashes. */
export const windowBackground = { light: '#f6f5f3', dark: '#161718' } as const

/** First size of the quick window, and the smallest, in device-independent pixels. */
export const quickWindowSize = { width: 680, height: 460, minWidth: 420, minHeight: 240 } as const

/** The quick window: over all others, in no list of windows, without a frame; hidden until it has something to show. */
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

/** The quick window is on every desktop. macOS would take the icon of the whole app from the Dock for it, unless told not to. */
export const onAllWorkspaces = {
  visibleOnFullScreen: true,
  skipTransformProcessType: true,
} as const

/** Web preferences of the hidden window that prints: what it shows holds no script, and would not get to run one. */
export const printPreferences = {
  ...webPreferences,
  javascript: false,
  spellcheck: false,
  webgl: false,
  backgroundThrottling: false,
} as const

/** A session in memory alone. */
export const printSession = 'lectern-print'

/** A printed conversation: A4, upright, with headings to go by; margins in inches. */
export const pdfOptions = {
  pageSize: 'A4',
  landscape: false,
  printBackground: true,
  margins: { top: 0.6, bottom: 0.6, left: 0.6, right: 0.6 },
  generateTaggedPDF: true,
  generateDocumentOutline: true,
} as const

/** Privileges of the `app` scheme: an origin like https, with streams for sound and a cache for compiled scripts. */
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

/** Switches of the browser engine: nothing that reaches out by itself; under Wayland shortcuts of the system are asked of its portal. */
export const engineSwitches: readonly (readonly [name: string, value?: string])[] = [
  ['disable-background-networking'],
  ['disable-component-update'],
  ['disable-domain-reliability'],
  ['no-pings'],
  ['dns-prefetch-disable'],
  ['enable-features', 'GlobalShortcutsPortal'],
]

/**
 * Whether the engine's sandbox is enabled, by the command line. The launcher of an AppImage adds `--no-sandbox` where the
 * system allows no user namespaces (Ubuntu 24.04); enabling the sandbox then would remove that switch after the first
 * processes were started without it, and no window would ever open.
 */
export const enablesSandbox = (args: readonly string[]): boolean => !args.includes('--no-sandbox')

/** WebRTC is not covered by the policy header or the request filter: it gets no way out either. */
export const webRtcPolicy = 'disable_non_proxied_udp'

/** Crash dumps stay on this computer. */
export const crashReports = { uploadToServer: false, compress: true } as const
