import type { AppEvent } from '../../../../shared/contract/events.ts'
import type { EditReply } from '../../../../shared/contract/meetings.ts'
import type { Context } from '../../../context.ts'
import type { Meeting } from '../../../../shared/model/meeting.ts'
import { sessionFolder } from '../../../platform/audio/session-files.ts'
import { AppError } from '../../../errors.ts'
import type { Changed } from '../store/meetings-types.ts'
import type { Store } from '../../../library-database/store.ts'
import { createAnnouncer } from '../../../platform/bridge/announcer.ts'
import { createAudioWork } from './audio-worker.ts'
import { createEnding } from './ending.ts'
import { createMeetingExports } from '../exports/exports.ts'
import { createImports } from './imports.ts'
import { type Capture, createCapture } from './recording/capture.ts'
import { createRecordings } from './recordings.ts'
import { createSummaries } from './summaries/summaries.ts'
import { ownTemplateId, templatesIn } from './summaries/templates.ts'
import { createLivePreview } from './transcription/live-preview.ts'
import { createTitles } from './titles/titles.ts'
import { createTranscription } from './transcription/transcription.ts'
import { createVoiceWatch } from './watch.ts'
import type { ParsedOf, ReplyOf, RouteName } from '../../../../shared/contract/routes.ts'

/** Routes of meetings on the bridge, by the last part of their name. */
type MeetingRoute =
  Extract<RouteName, `meetings.${string}`> extends `meetings.${infer N}` ? N : never

/**
 * Every route of meetings as a method; errors are thrown as AppError. The signal cancels long operations such as an audio export.
 */
type MeetingCalls = {
  [N in MeetingRoute]: (
    request: ParsedOf<`meetings.${N}`>,
    signal?: AbortSignal,
  ) => Promise<ReplyOf<`meetings.${N}`>>
}

/** Meetings as a whole: recording, import, transcription, editing, summaries, export. */
export interface Meetings extends MeetingCalls {
  /** `PUT /capture/<id>` and the audio below the media address. */
  readonly audio: Pick<Capture, 'take' | 'respond' | 'bytes'>
  /** Requests the pages to stop recording; resolves once no recording is running. */
  stopRecording(): Promise<void>
  /** Repairs sessions; resumes imports, voice activity detection and transcription of earlier runs. */
  resume(): Promise<void>
  accountReady(accountId: string): void
  /** Stops the work on meetings that are moved to Trash or deleted permanently. */
  forget(ids: readonly string[]): Promise<void>
  /** Called when meetings were restored from Trash: unfinished work resumes. */
  restored(ids: readonly string[]): void
  /** Deletes the audio of purged meetings. */
  purge(ids: readonly string[]): Promise<void>
  erase(): Promise<void>
  busy(): boolean
  shutdown(): Promise<void>
}

/** Dependencies of meetings. */
interface MeetingsDeps extends Pick<
  Context,
  | 'home'
  | 'version'
  | 'modelsDir'
  | 'workerUrl'
  | 'store'
  | 'files'
  | 'api'
  | 'accounts'
  | 'clock'
  | 'ids'
  | 'log'
  | 'workQueue'
  | 'after'
  | 'mask'
  | 'redact'
  | 'emit'
  | 'setWaiting'
  | 'printPdf'
> {
  /** True while a recording is running. */
  onLive(live: boolean): void
}

/** Changed segments, and lines that were changed or removed with them. */
type LinesChange = Omit<Extract<AppEvent, { readonly type: 'meeting.lines' }>, 'type' | 'id'>

/** Creates meetings from their parts: capture, import, voice activity, transcription, exports, summaries. */
export function createMeetings(deps: MeetingsDeps): Meetings {
  const { clock, ids, log, workerUrl, emit } = deps
  const store = deps.store.meetings
  const folderOf = (id: string): string => sessionFolder(deps.home, id)
  const announcer = createAnnouncer(
    (id) => store.get(id),
    (meeting) => {
      emit({ type: 'meeting.changed', meeting })
      titles.nudge()
    },
    deps.after,
    log,
  )
  const emitLines = (id: string, change: LinesChange): void =>
    emit({ type: 'meeting.lines', id, ...change })
  const emitLibraryChange = (itemIds: readonly string[]): void =>
    emit({ type: 'library.changed', itemIds })
  const activeAccountId = (): string => deps.accounts.active().id

  const audio = createAudioWork({ workerUrl, folderOf, log })
  const transcription = createTranscription({
    ...deps,
    audio,
    events: {
      onTranscribed(id, change) {
        emitLines(id, change)
        announcer.changed(id)
      },
      onPartial: (id, segmentId, text) => emit({ type: 'meeting.partial', id, segmentId, text }),
      onWaiting: (count) => deps.setWaiting('meetings', count),
    },
  })
  const preview = createLivePreview({
    ...deps,
    store,
    audio,
    isBusy: () => transcription.busy(),
    onPreview: (id, shown) => emit({ type: 'meeting.preview', id, ...shown }),
    onPartial: (id, segmentId, text) => emit({ type: 'meeting.partial', id, segmentId, text }),
  })
  const watch = createVoiceWatch({
    workerUrl,
    modelsDir: deps.modelsDir,
    folderOf,
    store,
    ids,
    log,
    onSegments(id, segments) {
      emitLines(id, { lines: [], removed: [], segments })
      preview.found(id, segments)
      transcription.nudge(id)
      announcer.changed(id)
    },
    onSpeech: (id, channel, speech) => preview.speech(id, channel, speech),
    onFailure: (id, error) => log.error('voice activity detection failed', { id, error }),
  })
  const exports = createMeetingExports({ ...deps, audio })
  const summaries = createSummaries({ ...deps, onSummary: (id) => announcer.now(id) })
  const titles = createTitles({ ...deps, onTitles: (id) => announcer.now(id) })
  const capture = createCapture({
    home: deps.home,
    workerUrl,
    clock,
    log,
    run: ids(),
    redact: deps.redact,
    onProgress: (progress) => recordings.progress(progress),
  })
  const ending = createEnding({
    onLive: deps.onLive,
    onStopRecording: () => emit({ type: 'page.command', command: 'record-stop' }),
  })
  const shared = {
    announcer,
    clock,
    ids,
    log,
    watch,
    activeAccountId,
    onLibrary: emitLibraryChange,
  }
  const recordings = createRecordings({
    ...shared,
    store,
    capture,
    onProgress: ({ full: _full, ...progress }) => emit({ type: 'meeting.recording', ...progress }),
    onLive: ending.live,
  })
  const imports = createImports({
    ...shared,
    store: deps.store,
    files: deps.files,
    audio,
    exports,
    stopTranscription: (id) => transcription.stop(id),
    onComplete: (id) => transcription.nudge(id),
  })

  const needs = createNeeds(deps.store)
  const { meeting: need, account: needAccount } = needs
  /** Notifies every page of a transcript change. */
  const changed = (
    id: string,
    { lines, removed, segmentIds = [] }: Changed,
    decided: readonly string[] = [],
  ): EditReply => {
    const touched = new Set([
      ...decided,
      ...segmentIds,
      ...lines.flatMap((line) => line.segmentId ?? []),
    ])
    const segments = Array.from(touched).flatMap((one) => store.segment(one) ?? [])
    emitLines(id, { lines, removed, segments })
    emitLibraryChange([id])
    announcer.now(id)
    return { meeting: need(id), lines, removed }
  }
  /** Changes rows of a meeting and returns its new state. */
  const touch = (id: string, work: () => void): { readonly meeting: Meeting } => {
    work()
    announcer.now(id)
    return { meeting: need(id) }
  }

  return {
    async begin(request) {
      needAccount(request.accountId)
      return { meeting: need(await recordings.begin(request)) }
    },
    async capture({ id, event }) {
      await recordings.event(id, event)
      return {}
    },
    async reopen({ id }) {
      await recordings.reopen(id)
      return {}
    },
    async stop({ id, recordedMs }) {
      // The row is read afterwards: a failing library must not prevent a recording from ending.
      await recordings.stop(id, recordedMs)
      return { meeting: need(id) }
    },
    async import(request) {
      needAccount(request.accountId)
      const { id, known } = await imports.start(request)
      return { meeting: need(id), known }
    },
    get: async ({ id }) => ({ meeting: need(id) }),
    async lines({ id, from, limit }) {
      need(id)
      const lines = store.lines(id, from, limit)
      const segments = store.segments(id, from, limit)
      const more = lines.length === limit || segments.length === limit
      return { lines, segments, next: more ? from + limit : null }
    },
    async update({ id, titlesDismissed, ...patch }) {
      const before = need(id)
      needAccount(patch.accountId)
      if (titlesDismissed !== undefined) store.dismissTitles(id, titlesDismissed)
      const changes = definedOf(patch)
      if (Object.keys(changes).length > 0) store.update(id, changes)
      if (patch.accountId !== undefined && patch.accountId !== before.accountId)
        transcription.fill(id)
      announcer.now(id)
      return { meeting: need(id) }
    },
    async fill({ id, accountId }) {
      return touch(id, () => {
        need(id)
        needAccount(accountId)
        if (accountId !== undefined) store.update(id, { accountId })
        // Voice detection may have been given up early: then some ranges have no segments yet.
        if (store.unlooked().includes(id)) watch.nudge(id, { live: false, last: true })
        transcription.fill(id)
      })
    },
    async stopTranscription({ id }) {
      await transcription.stop(need(id).id)
      announcer.now(id)
      return { meeting: need(id) }
    },
    async again({ id, which, ...want }) {
      const { accountId, prompt, hotwords } = need(id)
      needAccount(want.accountId)
      return {
        segments: await transcription.again(id, which, {
          accountId,
          prompt,
          hotwords,
          ...definedOf(want),
        }),
      }
    },
    versions: async ({ id, segmentIds }) => ({ versions: store.versions(id, segmentIds) }),
    async decide({ id, versionIds, accept }) {
      needs.versions(id, versionIds)
      const segmentIds = versionIds.flatMap(
        (versionId) => store.version(versionId)?.segmentId ?? [],
      )
      if (accept)
        return titles.correct(id, () =>
          changed(id, transcription.accept(id, versionIds), segmentIds),
        )
      store.decline(versionIds)
      return changed(id, { lines: [], removed: [] })
    },
    edit: async ({ id, edit }) => titles.correct(id, () => changed(id, store.edit(id, edit))),
    undo: async ({ id }) => titles.correct(id, () => changed(id, store.undo(id))),
    redo: async ({ id }) => titles.correct(id, () => changed(id, store.redo(id))),
    find: async ({ id, query, literal }) => ({
      hits: store.find(id, query, literal),
      acrossLines: literal ? store.matchesAcross(id, query, literal) : 0,
    }),
    async bookmark({ id, bookmarkId, atMs, label }) {
      if (bookmarkId === undefined) need(id)
      else needs.bookmark(id, bookmarkId)
      return touch(id, () => {
        if (bookmarkId === undefined)
          store.addBookmark(id, { id: ids(), atMs: atMs ?? 0, label: label ?? '' })
        else if (label === null) store.removeBookmark(bookmarkId)
        else store.renameBookmark(bookmarkId, label)
      })
    },
    learn: async ({ id }) => ({ words: await transcription.learn(need(id).id) }),
    templates: async () => ({ templates: templatesIn(store) }),
    async saveTemplate({ template }) {
      const id = template.id === undefined ? ids() : ownTemplateId(template.id)
      store.putTemplate({ ...template, id, builtIn: false })
      return { templates: templatesIn(store) }
    },
    async removeTemplate({ id }) {
      store.removeTemplate(ownTemplateId(id))
      return { templates: templatesIn(store) }
    },
    async summarise(request) {
      need(request.id)
      needAccount(request.accountId)
      await summaries.start(request)
      return { meeting: need(request.id) }
    },
    async removeSummary({ id, summaryId }) {
      needs.summary(id, summaryId)
      await summaries.stop(summaryId)
      return touch(id, () => store.removeSummary(summaryId))
    },
    async export(request) {
      need(request.id)
      return { media: await exports.text(request) }
    },
    async exportAudio(request, signal) {
      if (!need(request.id).hasAudio)
        throw new AppError('FILE_MISSING', 'The meeting was imported without its recording')
      return { media: await exports.audio(request, signal) }
    },

    stopRecording: ending.stop,
    audio: capture,
    async resume() {
      await recordings.recover()
      summaries.resume()
      imports.resume()
      for (const id of store.unlooked()) watch.nudge(id, { live: false, last: true })
      transcription.resume()
      titles.nudge()
    },
    accountReady(accountId) {
      transcription.accountReady(accountId)
      titles.accountReady(accountId)
    },
    async forget(gone) {
      for (const id of gone) if (capture.isLive(id)) await recordings.stop(id, null)
      await imports.forget(gone)
      await Promise.all(gone.map((id) => watch.forget(id)))
      for (const id of gone) preview.end(id)
      await transcription.forget(gone)
      await summaries.forget(gone)
    },
    restored(back) {
      imports.resume()
      const unlooked = new Set(store.unlooked())
      for (const id of back) {
        if (unlooked.has(id)) watch.nudge(id, { live: false, last: true })
        transcription.nudge(id)
      }
    },
    purge: (gone) => capture.remove(gone).finally(recordings.letGo),
    erase: () => capture.erase().finally(recordings.letGo),
    busy: () => imports.busy() || transcription.busy() || summaries.busy() || titles.busy(),
    async shutdown() {
      announcer.close()
      preview.close()
      // Recordings first: everything else can be redone.
      await recordings.shutdown()
      await Promise.all([
        imports.shutdown(),
        transcription.shutdown(),
        summaries.shutdown(),
        titles.shutdown(),
      ])
      await Promise.all([watch.close(), audio.close(), exports.close()])
    },
  }
}

/** A patch without undefined fields. */
function definedOf<T extends object>(patch: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}

/** Looks up the entities of a request; throws NOT_FOUND for missing ones, and for those of another meeting. */
interface Needs {
  meeting(id: string): Meeting
  /** Does nothing without an ID. A meeting assigned to a missing account would wait for it forever. */
  account(id: string | undefined): void
  bookmark(meetingId: string, bookmarkId: string): void
  summary(meetingId: string, summaryId: string): void
  versions(meetingId: string, versionIds: readonly string[]): void
}

/** Creates lookups over the store. */
function createNeeds(store: Pick<Store, 'meetings' | 'accounts'>): Needs {
  const meeting: Needs['meeting'] = (id) => {
    const found = store.meetings.get(id)
    if (!found) throw new AppError('NOT_FOUND', 'Meeting not found')
    return found
  }
  const among = (rows: readonly { readonly id: string }[], id: string, what: string): void => {
    if (!rows.some((row) => row.id === id))
      throw new AppError('NOT_FOUND', `The ${what} was not found`)
  }
  return {
    meeting,
    account(id) {
      if (id !== undefined && !store.accounts.get(id))
        throw new AppError('NOT_FOUND', 'Account not found')
    },
    bookmark: (id, bookmarkId) => among(meeting(id).bookmarks, bookmarkId, 'bookmark'),
    summary: (id, summaryId) => among(meeting(id).summaries, summaryId, 'summary'),
    versions(id, versionIds) {
      meeting(id)
      for (const versionId of versionIds) {
        const { segmentId = '' } = store.meetings.version(versionId) ?? {}
        if (store.meetings.segment(segmentId)?.meetingId !== id)
          throw new AppError('NOT_FOUND', 'Version not found')
      }
    },
  }
}
