import type { Transcript } from '../../../../../shared/model/library.ts'
import { wireModel } from '../../../../../shared/provider/profiles.ts'
import type { ServiceTarget, TranscriptionResult } from '../../../../provider-client/types.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { Clock, Ids } from '../../../../deps.ts'
import { AppError } from '../../../../errors.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import type { JobRecord } from '../../../../library-database/types.ts'
import type { Store } from '../../../../library-database/store.ts'
import { readAudioHeader } from '../../../../platform/files/audio-header.ts'
import { transcribeOnce } from './transcribe-once.ts'

export interface AttemptDeps {
  readonly api: Api
  readonly store: Store
  readonly files: MediaFiles
  readonly clock: Clock
  readonly ids: Ids
  /** Removes the known API keys from a text: stream chunks may form one together. */
  mask(text: string): string
}

/** Stores the text of a running attempt in the database. */
export interface TranscriptDraft {
  /** Stores the text so far; never replaces a stored text with a shorter one. */
  save(text: string): void
  /** The attempt ended early: adds the received text to the search index. */
  settle(): void
  /** Stores the complete result of the attempt; nothing is saved after it. */
  finish(result: TranscriptionResult): Transcript
}

/** Creates the transcript that a job writes to, from the first words to the end, across all its attempts. */
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
      // The requested model, until the response names the one that was used.
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
      // A second attempt starts from nothing; the text of an earlier one stays until this one has more.
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
      // The final text may correct the deltas and be shorter, so a pending batch must not overwrite it.
      finished = true
      return transcript
    },
  }
}

/**
 * Sends one request of service-notes 4 for a job; `onDelta` gets the text as it is received. Throws AppError:
 * FILE_MISSING, problems with the file header, ENGINE_UNAVAILABLE, and all client errors, including `TranscriptionCut`
 * with the text received so far.
 */
export async function callService(
  deps: Pick<AttemptDeps, 'api' | 'store' | 'files'>,
  job: JobRecord,
  target: ServiceTarget,
  onDelta: (delta: string) => void,
  signal: AbortSignal,
): Promise<TranscriptionResult> {
  const media = deps.store.items.get(job.itemId)?.media
  if (!media) throw new AppError('NOT_FOUND', 'The recording no longer exists')
  const path = await deps.files.path(media.id)
  const { mime, seconds } = await readAudioHeader(path)
  const name = mime === 'audio/wav' ? 'audio.wav' : 'audio.mp3'
  const { prompt, hotwords, stream } = job.options
  const file = { path, bytes: media.bytes, name, mime, seconds }
  return transcribeOnce(deps.api, target, { file, prompt, hotwords, stream }, { signal, onDelta })
}

/** Saves a response as received (architecture rule 6); an empty one is ignored. */
export function keepReply(
  deps: Pick<AttemptDeps, 'store' | 'clock' | 'ids'>,
  itemId: string,
  raw: TranscriptionResult['raw'],
): void {
  if (raw.body === '') return
  const operation = 'transcriptions.create'
  deps.store.replies.add({ id: deps.ids(), itemId, operation, ...raw, at: deps.clock() })
}
