import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import type { AppInfo } from '../shared/contract/app.ts'
import { removeUnlockedCopies } from '../system/unlocked-copies.ts'
import { combineWork } from './background-work.ts'
import type { Context, Platform } from './context.ts'
import { setupAudio } from './domains/audio/setup.ts'
import { setupChats } from './domains/chats/setup.ts'
import { setupDocuments } from './domains/documents/setup.ts'
import { setupKnowledge } from './domains/knowledge/setup.ts'
import { isArchiveName } from './domains/library/archive/layout.ts'
import { setupLibrary } from './domains/library/setup.ts'
import { setupPlayground } from './domains/playground/setup.ts'
import { setupSettings } from './domains/settings/setup.ts'
import { readableSettings } from './domains/settings/store/settings-store.ts'
import { setupVoices } from './domains/voices/setup.ts'
import { finishErasing } from './erasing.ts'
import type { App, HostDeps } from './host.ts'
import { createRunWatch } from './hosts/support/run-mark.ts'
import { stopLimits, within } from './hosts/support/stopping.ts'
import { openStore } from './library-database/open.ts'
import { later } from './long-timeout.ts'
import { createCalls } from './platform/bridge/calls.ts'
import { createPageSet } from './platform/bridge/events.ts'
import { loadFromDisk, createIntake } from './platform/bridge/intake.ts'
import { createRouter } from './platform/bridge/router.ts'
import { createServe } from './platform/bridge/serve-page.ts'
import { createStreamHub } from './platform/bridge/streams.ts'
import { createMediaFiles } from './platform/files/files.ts'
import { createPageCounter } from './platform/files/page-counter.ts'
import { createKeys } from './platform/secrets/keys.ts'
import { openStoredKeys } from './platform/secrets/stored-keys.ts'
import { createPages } from './platform/security/pages.ts'
import { finishRollBack } from './updates/app-updates.ts'
import { backupsOfUpdates } from './updates/records.ts'
import { createWorkQueue } from './work-queue/work-queue.ts'

/**
 * Builds the whole app from the dependencies of its host: the platform, then the domains in the order in which they are built
 * on each other. Objects are created only here and in the `setup.ts` of a domain (architecture rule 10).
 */
export async function createApp(host: HostDeps): Promise<App> {
  const { home, clock, log, workerUrl, redactor } = host
  await mkdir(home, { recursive: true, mode: 0o700 })
  await finishRollBack(home, host.version, host)
  const pages = createPageSet()
  const stored = openStoredKeys(home, randomUUID)
  const keys = createKeys({ keychain: host.keychain, stored, redactor })
  const erased = await finishErasing(home, keys, log)
  const store = await openStore({
    home,
    clock,
    log,
    workerUrl,
    appVersion: host.version,
    neededBackups: () => backupsOfUpdates(home),
    onNotice(notice) {
      pages.emit({ type: 'storage.changed', notice })
      pages.emit({ type: 'library.changed', itemIds: [] })
      work.resume()
    },
  })
  const web = await createPages({
    rendererDir: host.rendererDir,
    host: host.host,
    appearance: () => readableSettings(store),
  })
  const pageCounter = createPageCounter(workerUrl('pdf-pages'), host.openProcess)
  const platform: Platform = {
    ...host,
    store,
    files: createMediaFiles({ home, clock, store }),
    hub: createStreamHub(pages),
    calls: createCalls(),
    workQueue: createWorkQueue({ clock, log, random: Math.random, after: later }),
    emit: pages.emit,
    redact: redactor.redact,
    mask: redactor.maskKnown,
    openEnd: redactor.openEnd,
    countPages: pageCounter.count,
    random: Math.random,
    after: later,
  }

  const work = combineWork(
    () =>
      [settings, playground, audio, documents, knowledge, chats, voices, library].map(
        (domain) => domain.work,
      ),
    platform,
  )
  const settings = setupSettings(platform, {
    keys,
    stored,
    createApp,
    record: (call) => playground.record(call),
    search: (query, limit) => library.search(query, limit),
    accountReady: work.accountReady,
  })
  const context: Context = { ...platform, ...settings.provided }
  const { connection, updates, local, localHome } = settings
  const playground = setupPlayground(context)
  const { runs, onRun } = playground
  const audio = setupAudio(context, {
    pages,
    onRecording(live) {
      updates.recording(live)
      library.recording(live)
    },
  })
  const { meetings } = audio
  const documents = setupDocuments(context, {
    runs,
    onRun,
    fetchBases: (target) => knowledge.fetchBases(target),
  })
  const knowledge = setupKnowledge(context, { handover: documents.handover })
  const chats = setupChats(context, {
    connection,
    slices: knowledge.slices,
    purge: (itemIds) => library.library.purge(itemIds),
  })
  const voices = setupVoices(context)
  const library = setupLibrary(context, {
    keys,
    local,
    localHome,
    connection,
    meetings,
    documents: documents.documents,
    knowledge: knowledge.knowledge,
    embeddings: knowledge.embeddings,
    texts: knowledge.texts,
    chats: chats.chats,
    voices: voices.voices,
    speech: voices.speech,
    work,
    pages,
    info: (): AppInfo => ({
      version: host.version,
      host: host.host,
      platform: host.platform,
      fileHost: host.fileHost !== undefined,
      mediaBase: host.mediaBase,
      connection: connection.state(),
      storage: erased !== null && store.notice.state === 'ok' ? { state: 'erased' } : store.notice,
      lastRun: runWatch.lastRun,
    }),
    neededBackups: () => backupsOfUpdates(home),
    media: (request) => serve(request),
  })

  const runWatch = createRunWatch({
    home,
    version: host.version,
    clock,
    log,
    underWay: () => [...(audio.isRecording() ? (['recording'] as const) : []), ...work.underWay()],
  })
  const serve = createServe({
    intake: createIntake(context),
    archives: library.archives,
    audio: meetings.audio,
    files: context.files,
    saves: library.saves,
    selfTest: settings.selfTest,
    web,
  })
  let stopping: Promise<void> | null = null
  const stop = async (): Promise<void> => {
    runWatch.end()
    // Streams get a moment to write the data they received; the kernel flushes the rest.
    await within(stopLimits.streams, work.shutdown())
    await Promise.all([work.close(), pageCounter.close()])
    await store.close()
  }

  return {
    request: createRouter({
      ...context,
      // A missing handler is a compile error.
      handlers: library.wrapExports({
        ...settings.handlers,
        ...playground.handlers,
        ...audio.handlers,
        ...documents.handlers,
        ...knowledge.handlers,
        ...chats.handlers,
        ...voices.handlers,
        ...library.handlers,
      }),
    }),
    connect: pages.connect,
    disconnect(page) {
      pages.disconnect(page)
      context.calls.dropConnection(page.id)
      context.hub.dropConnection(page.id)
    },
    fetch: serve,
    takeFile: (path) =>
      isArchiveName(path) ? library.openArchive(path) : loadFromDisk(serve, path, clock),
    async start() {
      runWatch.start()
      void removeUnlockedCopies()
      work.resume()
      if (store.writable) library.housekeeping.start()
      connection.refresh()
      await updates.start()
    },
    resumed() {
      connection.refresh()
      if (store.writable) playground.resumeTasks()
    },
    stopRecording: meetings.stopRecording,
    stop: () => (stopping ??= stop()),
  }
}
