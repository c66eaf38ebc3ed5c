import type { Transcript } from '../../../shared/model/library.ts'
import { localAccountId } from '../../../shared/service/profiles.ts'
import { TranscriptionCut } from '../../api/transcription-cut.ts'
import type { Api, ServiceTarget, TranscriptionResult } from '../../api/types.ts'
import type { StreamWriter } from '../../bridge/streams.ts'
import type { Clock, Ids } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { JobRecord, Store } from '../../store/types.ts'
import { readAudioHeader } from '../../media/audio-header.ts'

/** What one attempt needs. */
export interface AttemptDeps {
  readonly api: Api
  readonly store: Store
  readonly files: MediaFiles
  readonly clock: Clock
  readonly ids: Ids
}

/** Keeps the text of a running attempt in the database. */
export interface TranscriptDraft {
  /** Stores the text so far; a shorter text than what is stored never replaces it. */
  save(text: string): void
  /** The attempt ended early: what came is brought into the search index. */
  settle(): void
  /** Stores the end of the attempt, whole. */
  finish(result: TranscriptionResult): Transcript
}

/** The transcript a job writes to, from the first words to the end, over all its attempts. */
export function createDraft(
  deps: AttemptDeps,
  job: JobRecord,
  accountName: string,
): TranscriptDraft {
  const { store, clock } = deps
  let id = store.jobs.get(job.id)?.transcriptId ?? null
  const stored = id === null ? undefined : store.transcripts.get(id)
  let length = stored?.text.length ?? 0

  const put = (fields: Partial<Transcript>): Transcript => {
    const existing = id === null ? undefined : store.transcripts.get(id)
    const transcript: Transcript = {
      id: deps.ids(),
      itemId: job.itemId,
      text: '',
      state: 'partial',
      model: '',
      requestId: null,
      notice: null,
      createdAt: clock(),
      ...existing,
      accountId: job.accountId,
      accountName,
      ...fields,
    }
    store.transaction(() => {
      store.transcripts.put(transcript)
      if (id !== transcript.id) store.jobs.update(job.id, { transcriptId: transcript.id }, clock())
    })
    id = transcript.id
    length = transcript.text.length
    return transcript
  }

  return {
    save(text) {
      // A second attempt starts from nothing; what an earlier one heard stays until this one has more.
      if (text.length <= length) return
      if (id === null) put({ text })
      else store.transcripts.grow(id, text)
      length = text.length
    },
    settle() {
      if (id !== null) put({})
    },
    finish: (result) =>
      put({
        text: result.text,
        state: result.noSpeech ? 'no-speech' : 'complete',
        model: result.model,
        requestId: result.requestId,
        notice: result.notice,
      }),
  }
}

/**
 * One call of spec 4.14 for a job: streams into `writer`, keeps the raw reply, stores the end.
 * Throws AppError; what had come is stored before it throws.
 */
export async function runAttempt(
  deps: AttemptDeps,
  job: JobRecord,
  target: ServiceTarget,
  draft: TranscriptDraft,
  writer: StreamWriter,
  signal: AbortSignal,
): Promise<string> {
  const { store, files, clock } = deps
  const media = store.items.get(job.itemId)?.media
  if (!media) throw new AppError('NOT_FOUND', 'The recording is gone')
  const path = await files.path(media.id)
  const header = await readAudioHeader(path)
  const keepRaw = (raw: TranscriptionResult['raw'] | null): void => {
    if (raw === null || raw.body === '') return
    store.replies.add({
      id: deps.ids(),
      itemId: job.itemId,
      operation: 'transcriptions.create',
      ...raw,
      at: clock(),
    })
  }
  try {
    const result = await deps.api.transcriptions.create(
      target,
      {
        file: {
          path,
          bytes: media.bytes,
          name: header.mime === 'audio/wav' ? 'audio.wav' : 'audio.mp3',
          mime: header.mime,
          seconds: header.seconds,
        },
        prompt: job.options.prompt,
        hotwords: job.options.hotwords,
        stream: job.options.stream,
      },
      { signal, onDelta: (delta) => writer.delta(delta) },
    )
    store.transaction(() => {
      keepRaw(result.raw)
      draft.finish(result)
      store.jobs.update(
        job.id,
        { state: 'done', progress: 1, error: null, nextTryAt: null },
        clock(),
      )
    })
    return result.text
  } catch (error) {
    if (error instanceof TranscriptionCut) {
      store.transaction(() => {
        keepRaw(error.raw)
        draft.save(error.text)
        draft.settle()
      })
    }
    if (isMissingEngine(job, error)) {
      throw new AppError('ENGINE_UNAVAILABLE', 'The speech engine of this computer is missing')
    }
    throw error
  }
}

/** The built-in service answers 1221 (API offline, service-notes 14) when its model is not installed. */
const isMissingEngine = (job: JobRecord, error: unknown): boolean =>
  job.accountId === localAccountId && error instanceof AppError && error.service?.code === '1221'
