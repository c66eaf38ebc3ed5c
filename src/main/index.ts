import { app } from 'electron'
import { createApp } from './app.ts'
import { followSettings } from './electron/appearance.ts'
import { setupContents } from './electron/contents.ts'
import { electronDeps } from './electron/deps.ts'
import { setupEngine } from './electron/engine.ts'
import { claimHome } from './electron/home.ts'
import { claimInstance, lastWords, onLaterLaunch } from './electron/instance.ts'
import { setupLastResort, setupQuit } from './electron/life.ts'
import { openMainWindow } from './electron/main-window.ts'
import { setupSession } from './electron/permissions.ts'
import { printPdf } from './electron/print.ts'
import { setupProtocol } from './electron/protocol.ts'
import { setupQuickWindow, type QuickWindowHost } from './electron/quick-window.ts'
import { setupRecording } from './electron/recording.ts'
import { cannotStart, notTaken } from './hosting/dialogs.ts'
import type { HomeLock } from './hosting/instance.ts'
import { languageOf } from './hosting/language.ts'
import { createMarks } from './hosting/marks.ts'
import { filesOf, openFiles } from './hosting/opened-files.ts'
import { setupSteadyThreads } from './hosting/steady-threads.ts'
import { appOrigin } from './security/origins.ts'
import { privateByDefault } from './security/private-files.ts'

const marks = createMarks()
marks.mark('main')
setupSteadyThreads()
privateByDefault()
const home = claimHome()
const lock = claimInstance(home)
if (lock) {
  setupEngine()
  setupContents()
  // Not awaited: the engine becomes ready only after this module has been read to its end.
  start(lock).catch(async (error: unknown) => {
    await lastWords((language) => cannotStart(language, error))
    app.exit(1)
  })
}

/** Builds the app while the engine gets ready, puts it behind `app://`, and opens the window. */
async function start(held: HomeLock): Promise<void> {
  const deps = electronDeps(home, import.meta.url)
  const { ids, log } = deps
  setupLastResort(log)

  // Files that are opened while Lectern starts wait until it can take them.
  const ready = Promise.withResolvers<(args: readonly string[], folder: string) => void>()
  const take = async (args: readonly string[], folder: string): Promise<void> =>
    (await ready.promise)(args, folder)
  let focus = (): void => {}
  onLaterLaunch(take, () => focus())

  let onRecording = (_live: boolean): void => {}
  let quick: QuickWindowHost | null = null
  const [lectern] = await Promise.all([
    createApp({
      ...deps,
      onRecording: (live) => onRecording(live),
      printPdf,
      quick: {
        show: () => quick?.show(),
        use: (shortcut) => quick?.use(shortcut) ?? 'off',
        leave: (conversationId) => quick?.leave(conversationId),
      },
    }),
    app.whenReady(),
  ])
  marks.mark('ready')
  setupProtocol(lectern)
  setupSession(deps.devTools)
  setupQuit(lectern, held, log)
  const window = openMainWindow(lectern, deps, marks)
  focus = window.focus
  quick = setupQuickWindow(lectern, deps, window)
  const signs = setupRecording(window, quick, languageOf('system', app.getLocale()), log)
  onRecording = signs.live
  const connection = await followSettings({
    app: lectern,
    id: ids(),
    devTools: deps.devTools,
    window,
    onLanguage: signs.speak,
  })
  await lectern.start()
  // Asking for its state takes the shortcut.
  void lectern.request(connection, 'quick.state', {})
  ready.resolve((args, folder) => {
    const parts = { app: lectern, connection, ids, origin: appOrigin, log }
    void openFiles(filesOf(args, folder), parts).then((names) => {
      if (names.length > 0) return lastWords((language) => notTaken(language, names))
    })
  })
  await take(process.argv.slice(app.isPackaged ? 1 : 2), process.cwd())
}
