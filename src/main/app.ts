import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppInfo } from '../shared/bridge/app.ts'
import { createApi } from './api/index.ts'
import { createCalls } from './bridge/calls.ts'
import { createPageSet } from './bridge/events.ts'
import { chatEvents } from './bridge/chat-events.ts'
import { documentEvents } from './bridge/document-events.ts'
import { allHandlers } from './bridge/handlers/all.ts'
import { createIntake } from './bridge/intake.ts'
import { meetingEvents } from './bridge/meeting-events.ts'
import { createRouter } from './bridge/router.ts'
import { runEvents } from './bridge/run-events.ts'
import { createServe } from './bridge/serve.ts'
import { createStreamHub } from './bridge/streams.ts'
import type { App, HostDeps } from './host.ts'
import { createKeeping } from './keeping.ts'
import { later } from './later.ts'
import { createMediaFiles } from './media/files.ts'
import { createPageCounter } from './media/page-counter.ts'
import { createKeys } from './secrets/keys.ts'
import { createPages } from './security/pages.ts'
import { createRecorder } from './services/activity/recorder.ts'
import { createAccounts } from './services/accounts/accounts.ts'
import { createAllChats } from './services/chats/all.ts'
import { createConnection } from './services/connection/connection.ts'
import { createAllDocuments } from './services/documents/all.ts'
import { createAllLibrary } from './services/library/all.ts'
import { createLibrarySearch } from './services/local/library-search.ts'
import { createLocalService } from './services/local/local.ts'
import { createMeetings } from './services/meetings/meetings.ts'
import { createNetworkChoices } from './services/network/network.ts'
import { createUnsaved } from './services/storage/unsaved.ts'
import { createRuns } from './services/runs/runs.ts'
import { createTranscriptions } from './services/transcribe/transcribe.ts'
import { openStore } from './store/open.ts'
import { readableSettings } from './store/settings.ts'
import { createWorkbench } from './workbench.ts'
import { createWorkload } from './workload.ts'

/** Builds the whole app from what its host gives. The only place where objects are made (architecture rule 10). */
export async function createApp(deps: HostDeps): Promise<App> {
  const { home, clock, ids, log, workerUrl, redactor } = deps
  await mkdir(home, { recursive: true, mode: 0o700 })

  const localHome = join(home, 'this-computer')
  const redact = (text: string): string => redactor.redact(text)
  const mask = (text: string): string => redactor.maskKnown(text)
  const openEnd = (text: string): number => redactor.openEnd(text)

  const pages = createPageSet()
  const store = await openStore({
    home,
    clock,
    log,
    workerUrl,
    appVersion: deps.version,
    onNotice(notice) {
      pages.emit({ type: 'storage.changed', notice })
      pages.emit({ type: 'library.changed', itemIds: [] })
      work.resume()
    },
  })
  const files = createMediaFiles({ home, clock, store })
  const keys = createKeys({ keychain: deps.keychain, redactor })
  const hub = createStreamHub(pages, log)
  const calls = createCalls()
  const web = await createPages({
    rendererDir: deps.rendererDir,
    host: deps.host,
    appearance: () => readableSettings(store),
  })

  const api = createApi({
    clock,
    ids,
    record: createRecorder({
      store,
      log,
      onAdded: (call) => pages.emit({ type: 'activity.added', call }),
      observe: (call) => connection.observe(call),
    }),
    ...createNetworkChoices(store, deps.proxyFor),
  })
  const local = createLocalService({
    home: localHome,
    modelsDir: deps.modelsDir,
    workerUrl,
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
  /** What everything that asks the service is built from. */
  const asking = {
    home,
    version: deps.version,
    workerUrl,
    store,
    files,
    api,
    accounts,
    hub,
    clock,
    ids,
    log,
    mask,
    openEnd,
    activeAccountId: () => accounts.active().id,
    random: Math.random,
    after: later,
    keep: unsaved.keep,
  }
  const transcriptions = createTranscriptions({
    ...asking,
    onJob: ({ ...job }) => pages.emit({ type: 'job.changed', job }),
    onLibrary: (itemIds) => pages.emit({ type: 'library.changed', itemIds }),
    onWaiting: (waiting) => connection.setWaiting('transcriptions', waiting),
  })
  const pageCounter = createPageCounter(workerUrl('pdf-pages'))
  const meetings = createMeetings({
    ...asking,
    modelsDir: deps.modelsDir,
    redact,
    ...meetingEvents(pages),
    onWaiting: (waiting) => connection.setWaiting('meetings', waiting),
    onLive: (live) => deps.onRecording?.(live),
  })
  const runs = createRuns({
    ...asking,
    countPages: (path) => pageCounter.count(path),
    ...runEvents(pages, (run) => [handover, tasks].forEach((each) => each.runChanged(run))),
  })
  const aboutDocuments = createAllDocuments({
    ...asking,
    runs,
    proxyFor: deps.proxyFor,
    ...documentEvents(pages),
    onWaiting: (waiting) => connection.setWaiting('documents', waiting),
  })
  const { documents, handover } = aboutDocuments
  const chats = createAllChats({
    ...asking,
    proxyFor: deps.proxyFor,
    countPages: (path) => pageCounter.count(path),
    unreachable: (accountId) => connection.trouble(accountId),
    purge: (itemIds) => library.purge(itemIds),
    ...chatEvents(pages),
    printPdf: deps.printPdf,
    onWaiting: (waiting) => connection.setWaiting('chats', waiting),
  })
  const workbench = createWorkbench({ handover, ...deps, ...asking, pages, connection, unsaved })
  const { watched: tasks, knowledge } = workbench
  const work = createWorkload({
    store,
    log,
    transcriptions,
    meetings,
    documents,
    runs,
    handover,
    tasks,
    knowledge,
    chats,
    others: workbench.works,
  })
  const { library, kindOf, housekeeping } = createAllLibrary({
    ...asking,
    work,
    onChange(itemIds) {
      pages.emit({ type: 'library.changed', itemIds })
      chats.changed(itemIds)
    },
    afterPurge: (itemIds) => meetings.purge(itemIds),
  })

  const info = (): AppInfo => ({
    version: deps.version,
    host: deps.host,
    platform: deps.platform,
    mediaBase: deps.mediaBase,
    connection: connection.state(),
    storage: store.notice,
  })
  const keeping = createKeeping({
    localHome,
    ...asking,
    keys,
    local,
    transcriptions,
    meetings,
    documents,
    runs,
    tasks,
    knowledge,
    chats,
    work,
    pages,
    redact,
    dialogs: deps.archiveDialogs,
    purge: (items) => library.purge(items),
    refresh: () => connection.refresh(),
  })

  const router = createRouter({
    log,
    clock,
    redact,
    handlers: allHandlers({
      app: [{ info, storage: keeping.storage, openExternal: deps.openExternal }],
      ...keeping.handlers,
      settings: [
        {
          store,
          onChange(patch) {
            pages.emit({ type: 'settings.changed' })
            if (patch.proxy === undefined && patch.caFile === undefined) return
            connection.refresh()
            work.accountReady(accounts.active().id)
          },
        },
      ],
      accounts: [{ accounts, connection, calls }],
      library: [library, kindOf],
      meetings: [meetings, calls],
      quick: [store, deps.quick],
      documents: [documents, aboutDocuments.reader, aboutDocuments.writer, calls, handover],
      transcriptions: [transcriptions],
      chats: [chats, workbench.slices],
      ...workbench.handlers,
      jobs: [store],
      runs: [runs],
      activity: [store, clock],
      streams: [hub, calls],
    }),
  })

  const serve = createServe({
    intake: createIntake({ files, clock, log, redact }),
    archives: keeping.places,
    sound: meetings.sound,
    files,
    web,
  })

  let stopping: Promise<void> | null = null
  const stop = async (): Promise<void> => {
    housekeeping.stop()
    connection.stop()
    // Streams get a second to write what came; the kernel gets the rest.
    await Promise.race([
      Promise.all([keeping.archives.shutdown(), work.shutdown()]),
      new Promise((done) => setTimeout(done, 1000)),
    ])
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
    async start() {
      work.resume()
      if (store.writable) housekeeping.start()
      connection.refresh()
    },
    resumed() {
      connection.refresh()
      if (store.writable) tasks.resume()
    },
    stop: () => (stopping ??= stop()),
  }
}
