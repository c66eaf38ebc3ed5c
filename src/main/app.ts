import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppInfo } from '../shared/contract/app.ts'
import { createApi } from './provider-client/index.ts'
import { createCalls } from './platform/bridge/calls.ts'
import { createPageSet } from './platform/bridge/events.ts'
import { chatEvents } from './domains/chats/routes/chat-events.ts'
import { documentEvents } from './domains/documents/routes/document-events.ts'
import { allHandlers } from './routes.ts'
import { loadFromDisk } from './platform/bridge/file-request.ts'
import { createIntake } from './platform/bridge/intake.ts'
import { meetingEvents } from './domains/audio/routes/meeting-events.ts'
import { createRecordingPage } from './domains/audio/routes/recording-page.ts'
import { createRouter } from './platform/bridge/router.ts'
import { runEvents } from './domains/playground/routes/run-events.ts'
import { createServe } from './platform/bridge/serve-page.ts'
import { createStreamHub } from './platform/bridge/streams.ts'
import type { App, HostDeps } from './host.ts'
import { createRunWatch } from './hosts/support/run-mark.ts'
import { stopLimits, within } from './hosts/support/stopping.ts'
import { finishErasing } from './erasing.ts'
import { createLibraryServices } from './library-services.ts'
import { later } from './long-timeout.ts'
import { createMediaFiles } from './platform/files/files.ts'
import { createPageCounter } from './platform/files/page-counter.ts'
import { createKeys } from './platform/secrets/keys.ts'
import { openStoredKeys } from './platform/secrets/stored-keys.ts'
import { createPages } from './platform/security/pages.ts'
import { createRecorder } from './domains/playground/service/activity/recorder.ts'
import { createAccounts, keyedAccounts } from './domains/settings/service/accounts/accounts.ts'
import { createAllChats } from './domains/chats/service/all.ts'
import { createConnection } from './domains/settings/service/connection/connection.ts'
import { fetchBases } from './domains/knowledge/service/bases.ts'
import { createAllDocuments } from './domains/documents/service/all.ts'
import { createAllLibrary } from './domains/library/service/library-service.ts'
import { createLibrarySearch } from './domains/library/service/library-search.ts'
import { createLocalService } from './domains/settings/service/local/local.ts'
import { createMeetings } from './domains/audio/service/meetings.ts'
import {
  createNetworkChoices,
  createNetworkSettings,
} from './domains/settings/service/network/network.ts'
import { createUnsaved } from './platform/database/unsaved.ts'
import { createRuns } from './domains/playground/service/runs/runs.ts'
import { openStore } from './library-database/open.ts'
import { readableSettings } from './domains/settings/store/settings-store.ts'
import { isArchiveName } from './domains/library/archive/layout.ts'
import { removeUnlockedCopies } from '../system/unlocked-copies.ts'
import { finishRollBack } from './updates/app-updates.ts'
import { backupsOfUpdates } from './updates/records.ts'
import { createLibraryFeatures } from './open-library.ts'
import { createWorkList } from './domains/library/service/work-list/work-list.ts'
import { createWorkload } from './background-work.ts'
import { createWorkQueue } from './work-queue/work-queue.ts'

/** Builds the whole app from the dependencies of its host. The only place where objects are created (architecture rule 10). */
export async function createApp(deps: HostDeps): Promise<App> {
  const { home, clock, ids, log, workerUrl, openProcess, redactor } = deps
  await mkdir(home, { recursive: true, mode: 0o700 })
  await finishRollBack(home, deps.version, deps)
  const localHome = join(home, 'this-computer')
  const redact = (text: string): string => redactor.redact(text)
  const mask = (text: string): string => redactor.maskKnown(text)
  const openEnd = (text: string): number => redactor.openEnd(text)
  const pages = createPageSet()
  const stored = openStoredKeys(home, randomUUID)
  const keys = createKeys({ keychain: deps.keychain, stored, redactor })
  const erased = await finishErasing(home, keys, log)
  const store = await openStore({
    home,
    clock,
    log,
    workerUrl,
    appVersion: deps.version,
    neededBackups: () => backupsOfUpdates(home),
    onNotice(notice) {
      pages.emit({ type: 'storage.changed', notice })
      pages.emit({ type: 'library.changed', itemIds: [] })
      work.resume()
    },
  })
  const files = createMediaFiles({ home, clock, store })
  stored.firstStart(() => {
    const accounts = keyedAccounts(store.accounts.list())
    // A library that was just restored does not report which account a key was created with; such leftovers can only be deleted.
    return store.notice.state === 'ok'
      ? accounts
      : accounts.map((each) => ({ ...each, origin: '' }))
  })
  const hub = createStreamHub(pages, log)
  const calls = createCalls()
  const web = await createPages({
    rendererDir: deps.rendererDir,
    host: deps.host,
    appearance: () => readableSettings(store),
  })
  const network = createNetworkChoices(store, home, deps.proxyFor)
  const api = createApi({
    clock,
    ids,
    record: createRecorder({
      store,
      log,
      onAdded: (call) => pages.emit({ type: 'activity.added', call }),
      observe: (call) => connection.observe(call),
    }),
    ...network,
  })
  const local = createLocalService({
    home: localHome,
    modelsDir: deps.modelsDir,
    workerUrl,
    openProcess,
    log,
    search: createLibrarySearch(store),
    onState: (state) => connection.setLocal(state),
  })
  const accounts = createAccounts({
    store,
    keys,
    local,
    clock,
    ids,
    onChange(change) {
      pages.emit({ type: 'accounts.changed' })
      const isActive = change.accountId === accounts.active().id
      if (change.what === 'active' || isActive) connection.refresh()
      if (change.what !== 'active') work.accountReady(change.accountId)
    },
  })
  const connection = createConnection({
    accounts,
    api,
    clock,
    onChange: (state) => pages.emit({ type: 'connection.changed', state }),
    onOnline: (accountId) => work.accountReady(accountId),
  })
  const unsaved = createUnsaved({ log, onChange: (now) => connection.setUnsaved(now) })
  /** Dependencies shared by everything that sends requests to the provider. */
  const serviceDeps = {
    home,
    version: deps.version,
    workerUrl,
    openProcess,
    store,
    files,
    api,
    accounts,
    hub,
    clock,
    ids,
    log,
    redact,
    mask,
    openEnd,
    activeAccountId: () => accounts.active().id,
    random: Math.random,
    after: later,
    workQueue: createWorkQueue({ clock, log, random: Math.random, after: later }),
    keep: unsaved.keep,
    network,
  }
  const pageCounter = createPageCounter(workerUrl('pdf-pages'), openProcess)
  const recordingPage = createRecordingPage((id) => pages.isConnected(id))
  const meetings = createMeetings({
    ...serviceDeps,
    modelsDir: deps.modelsDir,
    ...meetingEvents(pages),
    onWaiting: (waiting) => connection.setWaiting('meetings', waiting),
    onLive(live) {
      recordingPage.live(live)
      libraryServices.recording(live, recordingPage.current())
    },
  })
  const runs = createRuns({
    ...serviceDeps,
    countPages: (path) => pageCounter.count(path),
    ...runEvents(pages, (run) => [handover, tasks].forEach((each) => each.runChanged(run))),
  })
  const aboutDocuments = createAllDocuments({
    ...serviceDeps,
    runs,
    fetchBases: (target) => fetchBases({ store, api, clock }, target),
    ...documentEvents(pages),
    onWaiting: (waiting) => connection.setWaiting('documents', waiting),
  })
  const { documents, handover } = aboutDocuments
  const chats = createAllChats({
    ...serviceDeps,
    countPages: (path) => pageCounter.count(path),
    unreachable: (accountId) => connection.trouble(accountId),
    purge: (itemIds) => library.purge(itemIds),
    ...chatEvents(pages),
    printPdf: deps.printPdf,
    onWaiting: (waiting) => connection.setWaiting('chats', waiting),
  })
  const features = createLibraryFeatures({
    handover,
    ...deps,
    ...serviceDeps,
    pages,
    connection,
    unsaved,
  })
  const { watched: tasks, knowledge } = features
  const work = createWorkload({
    store,
    log,
    meetings,
    documents,
    runs,
    handover,
    tasks,
    knowledge,
    chats,
    others: features.works,
  })
  const { library, kindOf, housekeeping } = createAllLibrary({
    ...serviceDeps,
    work,
    onChange(itemIds) {
      pages.emit({ type: 'library.changed', itemIds })
      chats.changed(itemIds)
    },
    afterPurge: (itemIds) => meetings.purge(itemIds),
  })

  const runWatch = createRunWatch({
    home,
    version: deps.version,
    clock,
    log,
    underWay: () => [
      ...(recordingPage.current() === null ? [] : (['recording'] as const)),
      ...work.underWay(),
    ],
  })
  const info = (): AppInfo => ({
    version: deps.version,
    host: deps.host,
    platform: deps.platform,
    fileHost: deps.fileHost !== undefined,
    mediaBase: deps.mediaBase,
    connection: connection.state(),
    storage: erased !== null && store.notice.state === 'ok' ? { state: 'erased' } : store.notice,
    lastRun: runWatch.lastRun,
  })
  const libraryServices = createLibraryServices({
    calls,
    localHome,
    ...deps,
    ...serviceDeps,
    keys,
    local,
    meetings,
    documents,
    runs,
    tasks,
    knowledge,
    chats,
    work,
    pages,
    host: deps,
    createApp,
    media: (request) => serve(request),
    purge: (items) => library.purge(items),
    refresh: () => connection.refresh(),
  })

  const router = createRouter({
    log,
    clock,
    redact,
    handlers: allHandlers({
      app: [{ ...deps, info, storage: libraryServices.storage }],
      ...libraryServices.handlers,
      settings: [
        {
          store,
          onChange() {
            pages.emit({ type: 'settings.changed' })
            libraryServices.updates.settingsChanged()
          },
        },
      ],
      network: [
        createNetworkSettings({
          store,
          home,
          trust: deps.trust,
          onChange() {
            pages.emit({ type: 'settings.changed' })
            connection.refresh()
            work.accountReady(accounts.active().id)
          },
        }),
      ],
      accounts: [{ accounts, connection, calls }],
      library: [library, kindOf],
      meetings: [meetings, calls, recordingPage],
      quick: [deps.quick],
      shortcuts: [store, deps.shortcuts],
      system: [deps.system],
      documents: [documents, aboutDocuments.reader, aboutDocuments.writer, calls, handover],
      chats: [chats, features.slices],
      ...features.handlers,
      work: [
        createWorkList({
          store,
          meetings,
          documents,
          chats,
          embeddings: features.embeddings,
          semantic: features.semantic,
          speech: features.speech,
          voices: features.voices,
          knowledge,
        }),
      ],
      runs: [runs],
      activity: [store, clock],
      streams: [hub, calls],
    }),
  })
  const serve = createServe({
    intake: createIntake({ files, clock, log, redact }),
    ...libraryServices.places,
    audio: meetings.audio,
    files,
    web,
  })

  let stopping: Promise<void> | null = null
  const stop = async (): Promise<void> => {
    runWatch.end()
    housekeeping.stop()
    connection.stop()
    // Streams get a moment to write the data they received; the kernel flushes the rest.
    await within(stopLimits.streams, Promise.all([libraryServices.shutdown(), work.shutdown()]))
    await Promise.all([local.stop(), api.close(), pageCounter.close(), aboutDocuments.close()])
    await store.close()
  }

  return {
    request: router,
    connect: (page) => pages.connect(page),
    disconnect(page) {
      pages.disconnect(page)
      calls.dropConnection(page.id)
      hub.dropConnection(page.id)
    },
    fetch: serve,
    takeFile: (path) =>
      isArchiveName(path) ? libraryServices.openArchive(path) : loadFromDisk(serve, path, clock),
    async start() {
      runWatch.start()
      void removeUnlockedCopies()
      work.resume()
      if (store.writable) housekeeping.start()
      connection.refresh()
      await libraryServices.updates.start()
    },
    resumed() {
      connection.refresh()
      if (store.writable) tasks.resume()
    },
    stopRecording: () => meetings.stopRecording(),
    stop: () => (stopping ??= stop()),
  }
}
