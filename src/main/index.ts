import { join } from 'node:path'
import { app, protocol, crashReporter, Menu, session, Notification, globalShortcut } from 'electron'
import { followSettings } from './hosts/electron/appearance.ts'
import { setupContents } from './hosts/electron/contents.ts'
import { openCore, type ElectronCore } from './hosts/electron/core.ts'
import { electronDeps } from './hosts/electron/deps.ts'
import { setupDownloads } from './hosts/electron/downloads.ts'
import { chooseImports } from './hosts/electron/file-host.ts'
import { claimInstance, showFinalMessage, onLaterLaunch } from './hosts/electron/instance.ts'
import { spokenLanguage, startLanguage } from './hosts/electron/language.ts'
import { setupLastResort, setupQuit } from './hosts/electron/app-lifecycle.ts'
import { printPdf } from './hosts/electron/print.ts'
import { setupQuickWindow, type QuickWindowHost } from './hosts/electron/quick-window.ts'
import { setupRecording, type RecordingSigns } from './hosts/electron/recording.ts'
import { testAndExit } from './hosts/electron/self-test.ts'
import { startsHidden } from './hosts/electron/system.ts'
import { openWindows, type AppWindows } from './hosts/electron/windows.ts'
import type { HostServices, ShortcutHost, App, HostDeps } from './host.ts'
import { cannotStart, importFailedMessage } from './hosts/support/dialogs.ts'
import type { HomeLock } from './hosts/support/instance.ts'
import { launchTask } from './hosts/support/launch-tasks.ts'
import { createMarks } from './hosts/support/startup-marks.ts'
import { removeRunMark } from './hosts/support/run-mark.ts'
import { filesOf, linkIn, openFiles } from './hosts/support/opened-files.ts'
import { claimSelfTestHome, selfTestRequest } from './hosts/support/self-test.ts'
import type { AppEvent } from '../shared/contract/events.ts'
import { parseLink, linkScheme } from '../shared/links.ts'
import { privateByDefault, privateFolder } from './platform/security/private-files.ts'
import { appScheme } from './platform/security/origins.ts'
import { answerScheme } from './platform/security/scheme.ts'
import { version } from './hosts/support/version.ts'
import {
  crashReports,
  enablesSandbox,
  engineSwitches,
  schemePrivileges,
} from './platform/security/window-options.ts'
import { setupSpelling } from './hosts/electron/spelling.ts'
import { homedir } from 'node:os'
import { dataFolder } from './hosts/support/home.ts'
import { captureGrant } from './platform/security/display-media.ts'
import { permits } from './platform/security/permissions.ts'
import { mayLoad } from './platform/security/request-filter.ts'
import type { ShortcutName } from '../shared/contract/shortcuts.ts'
import { confirmsShortcuts, createShortcuts } from './hosts/support/shortcuts.ts'

const marks = createMarks()
marks.mark('main')
const userFileMode = privateByDefault()
const selfTest = selfTestRequest(process.argv, process.cwd())
if (selfTest) claimSelfTestHome(process)
const home = claimHome()
startLanguage(home)
const lock = claimInstance(home)
if (lock) {
  setupEngine()
  setupContents()
  // Not awaited: Electron becomes ready only after this module has been evaluated completely.
  start(lock).catch(async (error: unknown) => {
    await showFinalMessage((language) => cannotStart(language, error))
    app.exit(1)
  })
}

/** Starts the app in its own process, serves it at `app://`, and opens the first window. */
async function start(held: HomeLock): Promise<void> {
  let isRecording = false
  const deps = electronDeps(home, import.meta.url, () => isRecording)
  const { ids, log } = deps
  let core: ElectronCore | null = null
  setupLastResort(log, () => {
    core?.kill()
    // A dialog reports what happened.
    removeRunMark(home)
  })

  // Files that are opened while Lectern starts wait until it can import them.
  const ready = Promise.withResolvers<(args: readonly string[], folder: string) => void>()
  const take = async (args: readonly string[], folder: string): Promise<void> =>
    (await ready.promise)(args, folder)
  let main: AppWindows | null = null
  onLaterLaunch(take, { focus: () => main?.focus(), open: () => main?.open() })

  let signs: RecordingSigns | null = null
  let quick: QuickWindowHost | null = null
  let shortcuts: ShortcutHost | null = null
  await app.whenReady()
  marks.mark('ready')
  const services: HostServices = {
    ...deps.services,
    userFileMode,
    onRecording(live, connectionId) {
      isRecording = live
      signs?.live(live, connectionId)
    },
    printPdf,
    notify: createNotices({
      isInView: () => main?.all().some((window) => window.isFocused()) ?? false,
      open: (id) =>
        id === null
          ? main?.focus()
          : main?.deliver({ type: 'page.recording', id }, signs?.window()),
    }),
    quick: {
      show: () => quick?.show(),
      hide: async () => quick?.hide(),
      leave: (conversationId) => quick?.leave(conversationId),
    },
    shortcuts: { use: async (name, keys) => shortcuts?.use(name, keys) ?? 'off' },
  }
  const lectern = await openCore(services, deps)
  core = lectern
  // A core that ended records nothing; its data is on disk.
  lectern.onChange((change) => {
    if (change === 'lost') services.onRecording?.(false, null)
  })
  marks.mark('core')
  setupProtocol(lectern)
  setupSession(deps.devTools)
  setupDownloads()
  const windows = openWindows(lectern, deps, marks, !selfTest && startsHidden())
  if (selfTest) return testAndExit(lectern, held, deps, windows, selfTest)
  setupQuit({
    lectern,
    lock: held,
    log,
    windows,
    updates: deps.quitReports,
    ends: () => removeRunMark(home),
    isRecording: () => isRecording,
  })
  main = windows
  quick = setupQuickWindow(lectern, deps, windows)
  const recording = setupRecording(windows, quick, spokenLanguage())
  shortcuts = setupShortcuts({ quick: quick.toggle, record: recording.toggle })
  signs = recording
  let open = (_paths: readonly string[]): void => {}
  const connection = await followSettings({
    app: lectern,
    id: ids(),
    home,
    devTools: deps.devTools,
    log: join(home, 'logs', 'lectern.log'),
    windows,
    onImport: (window) => void chooseImports(window).then((paths) => open(paths)),
    onLanguage: recording.speak,
  })
  open = (paths) => {
    const onTaken = (shows: AppEvent): void => {
      // An archive waits for the user, whatever else was opened.
      if (paths.length === 1 || shows.type === 'page.archive') windows.deliver(shows)
    }
    const onImported = (path: string): void => app.addRecentDocument(path)
    const parts = { app: lectern, connection, log, onTaken, onImported }
    void openFiles(paths, parts).then((refused) => {
      if (refused.length > 0)
        return showFinalMessage((language) => importFailedMessage(language, refused))
    })
  }
  await lectern.start()
  // Requesting their state registers the shortcuts.
  void lectern.request(connection, 'shortcuts.state', {})
  ready.resolve((args, folder) => {
    const task = launchTask(args)
    if (task === 'record') recording.ask('record-start')
    if (task === 'quick') quick?.show()
    const link = linkIn(args)
    if (link !== null) windows.deliver({ type: 'page.link', link: parseLink(link) })
    open(filesOf(args, folder))
  })
  await take(process.argv.slice(app.isPackaged ? 1 : 2), process.cwd())
}

/** Sets the names of the app and its folders before anything reads them. Returns the data folder. */
function claimHome(): string {
  const folder = dataFolder({
    platform: process.platform,
    env: process.env,
    userHome: homedir(),
  })
  privateFolder(folder)
  app.setName('Lectern')
  app.setAppUserModelId('app.lectern.desktop')
  // An unpackaged build would leave the system with links to a program that will soon be gone.
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme)
  app.setPath('userData', folder)
  // Electron's own files are separate from ours: deleting or copying one does not affect the other.
  for (const [name, child] of [
    ['sessionData', 'engine'],
    ['crashDumps', 'crashes'],
  ] as const) {
    // Electron rejects a missing folder.
    privateFolder(join(folder, child))
    app.setPath(name, join(folder, child))
  }
  return folder
}

/** Configures Electron before it is ready. */
function setupEngine(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: appScheme, privileges: { ...schemePrivileges } }])
  if (enablesSandbox(process.argv)) app.enableSandbox()
  setupSpelling()
  crashReporter.start({ ...crashReports })
  for (const [name, value] of engineSwitches) app.commandLine.appendSwitch(name, value)
  app.setAboutPanelOptions({
    applicationName: 'Lectern',
    applicationVersion: version,
    copyright: '© The Lectern developers',
  })
  // Avoids building a default menu that would be replaced.
  Menu.setApplicationMenu(null)
}

/** Shows system notifications; a click opens the recording that one is about. */
function createNotices(windows: {
  /** Whether a window of the app has the focus. */
  isInView(): boolean
  open(recordingId: string | null): void
}): NonNullable<HostDeps['notify']> {
  /** Retains notifications while they are shown: a garbage-collected one reports no click. */
  const shown = new Map<string, Notification>()
  return async ({ id, title, body, recordingId, about }) => {
    if (about === 'app' && windows.isInView()) return true
    if (!Notification.isSupported()) return false
    shown.get(id)?.close()
    const notice = new Notification({ id, title, body })
    const forget = (): void => {
      if (shown.get(id) === notice) shown.delete(id)
    }
    notice.on('click', () => {
      forget()
      windows.open(recordingId)
    })
    notice.on('close', forget)
    notice.on('failed', forget)
    shown.set(id, notice)
    notice.show()
    return true
  }
}

/** Serves `app://` from the app's own handler. */
function setupProtocol(lectern: App): void {
  protocol.handle(appScheme, (request) => answerScheme(request, (inner) => lectern.fetch(inner)))
}

/** Sets the permissions of the page on the session, and what it may load. */
function setupSession(devToolsAllowed: boolean): void {
  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, permission, callback, details) => {
    const media = 'mediaTypes' in details ? details.mediaTypes : undefined
    callback(
      permits({ permission, url: details.requestingUrl, isMainFrame: details.isMainFrame, media }),
    )
  })
  defaultSession.setPermissionCheckHandler((_contents, permission, requestingOrigin, details) =>
    permits({
      permission,
      url: details.requestingUrl ?? requestingOrigin,
      isMainFrame: details.isMainFrame,
      media: [details.mediaType ?? 'unknown'],
    }),
  )
  defaultSession.setDevicePermissionHandler(() => false)
  // Without the system's picker: with it, this handler is not called, and the result is video without audio.
  defaultSession.setDisplayMediaRequestHandler(
    ({ frame, audioRequested, userGesture }, callback) => {
      const grant = captureGrant({
        frameUrl: frame?.url ?? null,
        isTopFrame: frame?.parent === null,
        audio: audioRequested,
        userGesture,
      })
      if (!frame || !grant.ok) return callback(null)
      // The page wants only the audio, but must also capture video: its own frame, so that no screen permission is needed.
      callback({ video: frame, ...(grant.loopbackAudio && { audio: 'loopback' }) })
    },
  )
  defaultSession.webRequest.onBeforeRequest((details, callback) => {
    callback({ cancel: !mayLoad(details.url, devToolsAllowed) })
  })
}

/** System-wide shortcuts; they are released when the process ends. */
function setupShortcuts(runs: Readonly<Record<ShortcutName, () => void>>): ShortcutHost {
  const asks = confirmsShortcuts(process.platform, process.env)
  const shortcuts = createShortcuts(globalShortcut, runs, asks)
  return { use: async (name, keys) => shortcuts.use(name, keys) }
}
