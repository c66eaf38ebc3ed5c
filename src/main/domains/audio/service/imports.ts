import type { ParsedOf } from '../../../../shared/contract/routes.ts'
import type { Media } from '../../../../shared/model/library.ts'
import { transcriptionRate, type Meeting } from '../../../../shared/model/meeting.ts'
import type { Clock, Ids, Log } from '../../../deps.ts'
import { AppError, toFailure } from '../../../errors.ts'
import { readAudioHeader } from '../../../platform/files/audio-header.ts'
import type { MediaFiles } from '../../../platform/files/files.ts'
import type { Store } from '../../../library-database/store.ts'
import { displayTitle } from '../../../platform/text/display-title.ts'
import { isHeld } from '../store/meetings-segments.ts'
import type { MeetingPatch } from '../store/meetings-types.ts'
import { isStoreProblem, persist } from '../../../platform/database/persist.ts'
import type { Announcer } from '../../../platform/bridge/announcer.ts'
import type { MeetingExports } from '../exports/exports.ts'
import type { AudioWork } from './audio-worker.ts'
import type { VoiceWatch } from './watch.ts'
import { createRestores, jsonMime } from './restores.ts'

/** Dependencies of imports. */
export interface ImportsDeps {
  readonly store: Store
  readonly files: MediaFiles
  readonly audio: Pick<AudioWork, 'readIn'>
  readonly watch: Pick<VoiceWatch, 'nudge' | 'forget'>
  readonly exports: Pick<MeetingExports, 'openJson'>
  readonly announcer: Announcer
  stopTranscription(id: string): Promise<void>
  /** Called when the audio is complete, or failed: segments that were there before it can be sent now. */
  onComplete(id: string): void
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  activeAccountId(): string
  onLibrary(ids: readonly string[]): void
}

/** Imports of files as meetings, regardless of their length. */
interface Imports {
  start(
    request: ParsedOf<'meetings.import'>,
  ): Promise<{ readonly id: string; readonly known: boolean }>
  /** Restarts what an earlier run did not finish. */
  resume(): void
  forget(ids: readonly string[]): Promise<void>
  busy(): boolean
  shutdown(): Promise<void>
}

/** Maximum number of parallel imports: each holds a decoder. */
const lanes = 4
/** A file overtakes running imports if it is this many times smaller than each: decoding takes a core. */
const overtaking = 2

/** A queued file. */
interface Waiting {
  readonly id: string
  readonly channels: 'auto' | 'split' | 'mix'
  readonly bytes: number
}

/**
 * Creates the imports: one file at a time, smallest first. A small one does not wait for a large one to end: their steps
 * alternate.
 */
export function createImports(deps: ImportsDeps): Imports {
  const { store, clock } = deps
  const queue: Waiting[] = []
  const running = new Map<
    string,
    { readonly abort: AbortController; readonly done: Promise<void>; readonly bytes: number }
  >()
  const closing = new AbortController()

  /** Ends an import. What waits for the user ends as stopped: nothing is sent because of another error. */
  const fail = async (id: string, error: unknown, signal: AbortSignal): Promise<void> => {
    if (!(error instanceof AppError)) deps.log.error('failed to import a file', { error })
    const known = error instanceof AppError ? error : new AppError('INTERNAL', 'Internal error')
    await write(async () => {
      if (isHeld(store.meetings.get(id)?.error ?? null)) {
        await deps.watch.forget(id)
        await deps.stopTranscription(id)
      }
      store.meetings.update(id, {
        state: 'import-failed',
        importProgress: null,
        error: toFailure(known, clock()),
      })
    }, signal)
  }
  const restores = createRestores({
    ...deps,
    fail,
    // The audio is imported in parallel with the text.
    onAudio: (id) => enqueue(id, begunAs(store.meetings.get(id))),
  })

  const enqueue = (id: string, channels: 'auto' | 'split' | 'mix'): void => {
    if (restores.owns(id)) restores.again(id)
    else {
      const bytes = store.meetings.get(id)?.originalBytes ?? 0
      queue.push({ id, channels, bytes })
    }
    pump()
  }
  /** The smallest queued file, if it may start. */
  const nextFile = (): Waiting | undefined => {
    let next = queue[0]
    // Thousands wait after a migration: a scan, not a sort.
    for (const one of queue) if (next && one.bytes < next.bytes) next = one
    const minBytes = Math.min(...Array.from(running.values(), ({ bytes }) => bytes))
    const mayBegin = next && next.bytes * overtaking <= minBytes && running.size < lanes
    return mayBegin ? next : undefined
  }
  const pump = (): void => {
    while (!closing.signal.aborted) {
      const next = nextFile()
      if (!next) return
      queue.splice(queue.indexOf(next), 1)
      const abort = new AbortController()
      // Registered before its first step, so that it cannot be started twice.
      const done = Promise.resolve()
        .then(() => readIn(next.id, next.channels, abort.signal))
        .catch((error: unknown) => deps.log.error('failed to import a file', { error }))
        .finally(() => {
          running.delete(next.id)
          pump()
        })
      running.set(next.id, { abort, done, bytes: next.bytes })
    }
  }
  /** Ignores a failed row update: the next one includes it. */
  const follow = (work: () => void): void => {
    try {
      work()
    } catch (error) {
      if (!isStoreProblem(error)) throw error
      deps.log.warn('failed to save a meeting, will retry', { code: error.code })
    }
  }
  const write = <T>(work: () => T | Promise<T>, signal = closing.signal): Promise<T> =>
    persist(work, signal, (error) =>
      deps.log.warn('failed to save a meeting, will retry', { code: error.code }),
    )

  const readIn = async (
    id: string,
    channels: 'auto' | 'split' | 'mix',
    signal: AbortSignal,
  ): Promise<void> => {
    const meeting = store.meetings.get(id)
    // A meeting in Trash is imported when it is restored.
    if (!meeting?.originalMediaId || store.items.summary(id)?.deletedAt !== null) return
    try {
      const path = await deps.files.path(meeting.originalMediaId)
      let seconds: number | null = null
      let pendingPatch: MeetingPatch = {}
      const report = (patch: MeetingPatch): void => {
        store.meetings.update(id, { ...pendingPatch, ...patch })
        pendingPatch = {}
      }
      const { durationMs } = await deps.audio.readIn(
        { id, title: meeting.title, path, channels },
        {
          opened(audio) {
            seconds = audio.seconds
            pendingPatch = { channels: audio.roles, sampleRate: audio.sampleRate }
            follow(() => report({}))
            deps.announcer.now(id)
          },
          step(doneMs) {
            const importProgress = seconds ? Math.min(1, doneMs / 1000 / seconds) : 0
            follow(() => report({ durationMs: doneMs, importProgress }))
            // Voice activity detection follows the writer: the first words are there long before the whole file.
            deps.watch.nudge(id, { live: false, last: false })
            deps.announcer.changed(id)
          },
        },
        signal,
      )
      await write(() => report({ state: 'stopped', durationMs, importProgress: null }))
      deps.watch.nudge(id, { live: false, last: true })
      deps.onComplete(id)
    } catch (error) {
      // Stopped by the end of the app: restarted at the next start. Stopped by Trash: no longer needed.
      if (signal.aborted || !store.meetings.get(id)) return
      await fail(id, error, signal)
      deps.onComplete(id)
    }
    deps.announcer.now(id)
    deps.onLibrary([id])
  }

  /** Existing transcripts belong to the channels found first: these are imported again, whatever mode is now requested. */
  const begunAs = (
    meeting: Pick<Meeting, 'durationMs' | 'channels'> | undefined,
  ): 'auto' | 'split' | 'mix' => {
    if (!meeting || meeting.durationMs === 0) return 'auto'
    return meeting.channels.length > 1 ? 'split' : 'mix'
  }

  const create = (media: Media, request: ParsedOf<'meetings.import'>): string => {
    const id = deps.ids()
    const given = request.title?.trim() || media.name.replace(/\.[^.]{1,5}$/, '') || media.name
    store.meetings.create({
      id,
      title: displayTitle(given),
      titleIsAutomatic: !request.title?.trim(),
      source: 'import',
      state: 'importing',
      channels: ['mono'],
      sampleRate: transcriptionRate,
      mediaId: media.id,
      hasAudio: true,
      accountId: request.accountId ?? deps.activeAccountId(),
      prompt: request.prompt ?? '',
      hotwords: request.hotwords ?? [],
      at: clock(),
    })
    return id
  }

  return {
    async start(request) {
      const media = store.media.get(request.mediaId)
      if (!media) throw new AppError('NOT_FOUND', 'File not found')
      if (media.bytes === 0) throw new AppError('EMPTY_FILE', 'The file is empty')
      const known = store.meetings.byMedia(media.id)
      if (known !== undefined) {
        // Requested again after a failure: the file is imported again into the same meeting.
        if (store.meetings.get(known)?.state === 'import-failed') {
          store.meetings.update(known, { state: 'importing', error: null, importProgress: 0 })
          enqueue(known, request.channels)
          deps.announcer.now(known)
        }
        return { id: known, known: true }
      }
      if (media.mime === jsonMime) {
        const { id } = await restores.start(media, request.title)
        return { id, known: false }
      }
      // Nothing else becomes a meeting: its header says what the file is.
      if (!/^(audio|video)\//.test(media.mime))
        await readAudioHeader(await deps.files.path(media.id))
      const id = create(media, request)
      enqueue(id, request.channels)
      deps.onLibrary([id])
      return { id, known: false }
    },
    resume() {
      const known = new Set([...running.keys(), ...queue.map(({ id }) => id)])
      for (const meeting of store.meetings.importing()) {
        const { id, mime, bytes } = meeting
        if (known.has(id)) continue
        if (mime === jsonMime) restores.again(id)
        else queue.push({ id, channels: begunAs(meeting), bytes })
      }
      pump()
    },
    async forget(ids) {
      await restores.forget(ids)
      for (const id of ids) {
        const waiting = queue.findIndex((one) => one.id === id)
        if (waiting >= 0) queue.splice(waiting, 1)
        const active = running.get(id)
        active?.abort.abort()
        await active?.done
      }
    },
    busy: () => running.size > 0 || queue.length > 0 || restores.busy(),
    async shutdown() {
      closing.abort()
      queue.length = 0
      for (const { abort } of running.values()) abort.abort()
      await Promise.all([restores.shutdown(), ...[...running.values()].map(({ done }) => done)])
    },
  }
}
