import type { Transcript } from '../../../shared/model/library.ts'
import { wireModel } from '../../../shared/service/profiles.ts'
import type { Api, ServiceTarget, TranscriptionResult } from '../../api/types.ts'
import type { Clock, Ids } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { JobRecord, Store } from '../../store/types.ts'
import { readAudioHeader } from '../../media/audio-header.ts'
import { transcribeOnce } from './single-flight.ts'

/** What one attempt needs. */
export interface AttemptDeps {
  readonly api: Api
  readonly store: Store
  readonly files: MediaFiles
  readonly clock: Clock
  readonly ids: Ids
  /** A text without the keys there are: pieces of a stream may make one together. */
  mask(text: string): string
}

/** Keeps the text of a running attempt in the database. */
export interface TranscriptDraft {
  /** Stores the text so far; a shorter text than what is stored never replaces it. */
  save(text: string): void
  /** The attempt ended early: what came is brought into the search index. */
  settle(): void
  /** Stores the end of the attempt, whole; nothing is saved after it. */
  finish(result: TranscriptionResult): Transcript
}

/** The transcript a job writes to, from the first words to the end, over all its attempts. */
export function createDraft(
  deps: AttemptDeps,
  job: JobRecord,
  accountName: string,
): TranscriptDraft {
  const { store, clock } = deps
  const profile = store.accounts.get(job.accountId)?.profile
  let id = store.jobs.get(job.id)?.transcriptId ?? null
  const stored = id === null ? undefined : store.transcripts.get(id)
  let length = stored?.text.length ?? 0
  let finished = false

  const put = (fields: Partial<Transcript>): Transcript => {
    const existing = id === null ? undefined : store.transcripts.get(id)
    const transcript: Transcript = {
      id: deps.ids(),
      itemId: job.itemId,
      text: '',
      state: 'partial',
      // Until the reply names what heard it: the model that was asked.
      model: profile ? wireModel(profile, 'gen-asr-2512') : '',
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
    save(rawText) {
      const text = deps.mask(rawText)
      // A second attempt starts from nothing; what an earlier one heard stays until this one has more.
      if (finished || text.length <= length) return
      if (id === null) put({ text })
      else store.transcripts.grow(id, text)
      length = text.length
    },
    settle() {
      if (id !== null) put({})
    },
    finish(result) {
      const transcript = put({
        text: result.text,
        state: result.noSpeech ? 'no-speech' : 'complete',
        model: result.model,
        requestId: result.requestId,
        notice: result.notice,
      })
      // The end may correct the deltas, and be shorter: a batch that is still on its way must not undo it.
      finished = true
      return transcript
    },
  }
}

/**
 * One call of service-notes 4 for a job; `onDelta` gets the text as it comes. Throws AppError: FILE_MISSING, the header's own
 * troubles, ENGINE_UNAVAILABLE, and all of the client's, among them `TranscriptionCut` with what had come.
 */
export async function callService(
  deps: Pick<AttemptDeps, 'api' | 'store' | 'files'>,
  job: JobRecord,
  target: ServiceTarget,
  onDelta: (delta: string) => void,
  signal: AbortSignal,
): Promise<TranscriptionResult> {
  const media = deps.store.items.get(job.itemId)?.media
  if (!media) throw new AppError('NOT_FOUND', 'The recording is gone')
  const path = await deps.files.path(media.id)
  const { mime, seconds } = await readAudioHeader(path)
  const name = mime === 'audio/wav' ? 'audio.wav' : 'audio.mp3'
  const { prompt, hotwords, stream } = job.options
  const file = { path, bytes: media.bytes, name, mime, seconds }
  return transcribeOnce(deps.api, target, { file, prompt, hotwords, stream }, { signal, onDelta })
}

/** Keeps a reply as received (architecture rule 6); an empty one says nothing. */
export function keepReply(
  deps: Pick<AttemptDeps, 'store' | 'clock' | 'ids'>,
  itemId: string,
  raw: TranscriptionResult['raw'],
): void {
  if (raw.body === '') return
  const operation = 'transcriptions.create'
  deps.store.replies.add({ id: deps.ids(), itemId, operation, ...raw, at: deps.clock() })
}
