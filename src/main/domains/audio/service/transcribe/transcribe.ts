import type { TranscriptionOptions } from '../../../../../shared/contract/transcriptions.ts'
import type { Job } from '../../../../../shared/model/job.ts'
import type { Media, RecordingItem } from '../../../../../shared/model/library.ts'
import { AppError } from '../../../../errors.ts'
import { readAudioHeader } from '../../../../platform/files/audio-header.ts'
import type { JobRecord } from '../../../../library-database/types.ts'
import { isRepairable } from '../../../../work-queue/retry-policy.ts'
import { displayTitle } from '../../../../platform/text/display-title.ts'
import { createRunner, type RunnerDeps } from './runner.ts'
import type { StreamClient } from './runner.ts'

/** Default options of a transcription. */
const defaults: TranscriptionOptions = { stream: true, prompt: '', hotwords: [] }

/** Durable transcription of recordings: every job survives a restart, a crash and an outage. */
export interface Transcriptions {
  start(
    request: {
      mediaId: string
      title?: string | undefined
      options?: TranscriptionOptions | undefined
    },
    client: StreamClient,
  ): Promise<{ item: RecordingItem; job: Job; known: boolean }>
  again(
    itemId: string,
    options: TranscriptionOptions | undefined,
    client: StreamClient,
  ): Promise<{ job: Job }>
  retry(jobId: string, client: StreamClient): Promise<{ job: Job }>
  stop(jobId: string): Promise<{ job: Job }>
  /**
   * Moves a waiting job to another account. Throws REFUSED for a job in progress, which may have been completed already.
   */
  move(jobId: string, accountId: string): Promise<void>
  /** Resumes unfinished jobs of an earlier run. */
  resume(): void
  /** The account is available again: its waiting jobs continue now. */
  accountReady(accountId: string): void
  /** Stops the jobs of items that are deleted. */
  forget(itemIds: readonly string[]): Promise<void>
  /** Aborts running jobs, which stay queued for the next start. */
  shutdown(): Promise<void>
}

export interface TranscribeDeps extends RunnerDeps {
  activeAccountId(): string
  onLibrary(itemIds: readonly string[]): void
}

/** Returns whether a file is audio or video, whether or not the provider accepts its format. */
const isAudio = (mime: string): boolean => /^(audio|video)\//.test(mime)

/** Creates the transcription service. */
export function createTranscriptions(deps: TranscribeDeps): Transcriptions {
  const { store, clock, ids } = deps
  const runner = createRunner(deps)

  const newJob = (
    itemId: string,
    title: string,
    options: TranscriptionOptions,
    client: StreamClient,
  ): JobRecord => ({
    id: ids(),
    kind: 'transcription',
    itemId,
    title,
    state: 'queued',
    progress: null,
    streamId: client.streamId,
    attempts: 0,
    accountId: deps.activeAccountId(),
    error: null,
    createdAt: clock(),
    updatedAt: clock(),
    nextTryAt: null,
    options,
    transcriptId: null,
  })

  const needItem = (id: string): RecordingItem => {
    const item = store.items.get(id)
    if (!item) throw new AppError('NOT_FOUND', 'Recording not found')
    return item
  }

  /**
   * Measures a recording, which stays in the library even if its audio cannot be sent; rejects files that are not audio.
   */
  const measure = async (media: Media): Promise<Media> => {
    if (media.bytes === 0) throw new AppError('EMPTY_FILE', 'The file is empty')
    try {
      const header = await readAudioHeader(await deps.files.path(media.id))
      return { ...media, duration: header.seconds, mime: header.mime }
    } catch (error) {
      // Audio that the provider does not accept is saved, and its job reports why it cannot run.
      if (error instanceof AppError && error.code !== 'FILE_MISSING' && isAudio(media.mime))
        return media
      throw error
    }
  }

  const launch = (job: JobRecord, client: StreamClient): Job => {
    if (deps.hub.has(client.streamId))
      throw new AppError('REFUSED', 'The stream ID is already in use')
    store.jobs.create(job)
    runner.enqueue(job.id, client)
    deps.onLibrary([job.itemId])
    return store.jobs.get(job.id) ?? job
  }

  return {
    async start({ mediaId, title, options }, client) {
      const stored = store.media.get(mediaId)
      if (!stored) throw new AppError('NOT_FOUND', 'File not found')
      const media = await measure(stored)
      const known = store.items.byMedia(mediaId)
      if (known !== undefined) {
        const jobs = store.jobs.byItem(known)
        const newest = jobs.toSorted((a, b) => b.createdAt - a.createdAt)[0]
        const item = needItem(known)
        if (newest) return { item, job: newest, known: true }
      }
      const id = known ?? ids()
      const given = title?.trim() || media.name.replace(/\.[^.]{1,5}$/, '') || media.name
      const name = displayTitle(given)
      if (known === undefined) {
        store.transaction(() => {
          // The file may have been purged while its header was read.
          if (!store.media.get(mediaId))
            throw new AppError('FILE_MISSING', 'The file no longer exists')
          store.media.put(media)
          store.items.create({ id, kind: 'recording', title: name, mediaId, at: clock() })
        })
      }
      const job = launch(newJob(id, name, options ?? defaults, client), client)
      return { item: needItem(id), job, known: false }
    },
    async again(itemId, options, client) {
      const item = needItem(itemId)
      // Checked in the rows: a page that just saw the end may request it again before the runner has removed the job.
      const unfinished = ['queued', 'running', 'waiting']
      const running = store.jobs.byItem(itemId).some((job) => unfinished.includes(job.state))
      if (running) throw new AppError('REFUSED', 'The recording is already being transcribed')
      return { job: launch(newJob(itemId, item.title, options ?? defaults, client), client) }
    },
    async retry(jobId, client) {
      const job = store.jobs.get(jobId)
      if (!job) throw new AppError('NOT_FOUND', 'Job not found')
      if (job.state === 'done') return { job }
      if (deps.hub.has(client.streamId))
        throw new AppError('REFUSED', 'The stream ID is already in use')
      if (!runner.isActive(jobId)) {
        // The user may have switched accounts because of this failure.
        const accountId = deps.activeAccountId()
        const patch = {
          state: 'queued',
          attempts: 0,
          error: null,
          nextTryAt: null,
          accountId,
        } as const
        store.jobs.update(jobId, { ...patch, streamId: client.streamId }, clock())
        runner.enqueue(jobId, client)
      }
      return { job: store.jobs.get(jobId) ?? job }
    },
    async stop(jobId) {
      if (!store.jobs.get(jobId)) throw new AppError('NOT_FOUND', 'Job not found')
      await runner.cancel(jobId)
      const job = store.jobs.get(jobId)
      if (!job) throw new AppError('NOT_FOUND', 'Job not found')
      return { job }
    },
    async move(jobId, accountId) {
      const job = store.jobs.get(jobId)
      if (!job) throw new AppError('NOT_FOUND', 'Job not found')
      if (job.state !== 'queued' && job.state !== 'waiting')
        throw new AppError('REFUSED', 'The job has already started', { params: { what: 'move' } })
      await runner.cancel(jobId)
      const patch = { state: 'queued', attempts: 0, error: null, nextTryAt: null } as const
      store.jobs.update(jobId, { ...patch, accountId }, clock())
      runner.enqueue(jobId)
    },
    resume: () => runner.resume(),
    accountReady(accountId) {
      for (const job of store.jobs.byState(['failed'])) {
        if (job.accountId !== accountId || !job.error || !isRepairable(job.error.code)) continue
        // Items in the Trash are not processed any more.
        if (store.items.summary(job.itemId)?.deletedAt !== null) continue
        store.jobs.update(job.id, { state: 'queued', error: null, attempts: 0 }, clock())
        runner.enqueue(job.id)
      }
      runner.wake(accountId)
    },
    async forget(itemIds) {
      const jobs = itemIds.flatMap((id) => store.jobs.byItem(id))
      await Promise.all(jobs.map((job) => runner.cancel(job.id)))
    },
    shutdown: () => runner.shutdown(),
  }
}
