import type { SampleText, VoiceSample } from '../../../../../shared/model/sample.ts'
import { localAccountId } from '../../../../../shared/provider/profiles.ts'
import { engineNames } from '../../../../../shared/provider/engine-names.ts'
import { isEnglish } from '../../../../../shared/text/language.ts'
import type { TranscriptionResult } from '../../../../provider-client/types.ts'
import type { Api } from '../../../../provider-client/api.ts'
import type { Clock, Log } from '../../../../deps.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import type { MediaFiles } from '../../../../platform/files/files.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { Accounts } from '../../../settings/index.ts'
import { compareTranscript } from '../../worker/compare.ts'
import { transcribeOnce } from '../../../audio/index.ts'

interface SampleTextsDeps {
  readonly store: Store
  readonly files: Pick<MediaFiles, 'path'>
  readonly api: Pick<Api, 'transcriptions'>
  readonly accounts: Pick<Accounts, 'active' | 'target'>
  readonly clock: Clock
  readonly log: Log
  onSample(id: string): void
}

/** Texts of samples: transcribed (service-notes 4), corrected by the user, indexed for search. */
export interface SampleTexts {
  /**
   * Transcribes the current version; a response for an earlier version is discarded. Text written by the user stays and is
   * compared with the transcript.
   */
  transcribe(id: string): void
  /** Saves text written by the user. */
  write(sample: VoiceSample, text: string): void
  /** Repeats transcriptions that were running when the app ended. */
  resume(): void
  forget(itemIds: readonly string[]): void
  busy(): boolean
  /** Stops running transcriptions, which are repeated at the next start. */
  shutdown(): void
}

export function createSampleTexts(deps: SampleTextsDeps): SampleTexts {
  const { store, clock } = deps
  const running = new Map<string, AbortController>()

  function keep(sample: VoiceSample, text: SampleText): void {
    store.samples.change(sample.id, { text })
    deps.onSample(sample.id)
  }

  async function listen(id: string, signal: AbortSignal): Promise<void> {
    const sample = store.samples.get(id)
    const version = sample?.versions.find((one) => one.id === sample.versionId)
    const media = version && store.media.get(version.mediaId)
    if (!sample || !version || !media) return
    const before = sample.text
    keep(sample, { ...before, state: 'hearing', error: null })
    const ended = (text: SampleText): void => {
      const now = store.samples.get(id)
      // Text that the user wrote in the meantime is not replaced.
      if (now && now.text.state === 'hearing' && !signal.aborted) keep(now, text)
    }
    try {
      const file = {
        path: await deps.files.path(media.id),
        bytes: media.bytes,
        name: 'sample.wav',
        mime: 'audio/wav' as const,
        seconds: version.durationMs / 1000,
      }
      const request = async (accountId: string) =>
        transcribeOnce(
          deps.api,
          await deps.accounts.target(accountId),
          { file, prompt: '', hotwords: [], stream: false },
          { signal },
        )
      const { id: accountId } = deps.accounts.active()
      // This computer transcribes English only.
      const transcription =
        sample.language === 'en' && accountId !== localAccountId
          ? await withFallback(
              () => request(accountId),
              () => request(localAccountId),
            )
          : await request(accountId)
      const text = transcription.text.trim()
      const result = {
        heard: text,
        model: transcription.model,
        notice: transcription.notice,
        error: null,
      }
      const written = isWritten(before)
      const fit = written ? fitOf(before.text, result) : 1
      ended(
        written
          ? {
              ...before,
              ...result,
              state: 'edited',
              // If it matches the transcript, the text belongs to this version, too.
              versionId: (fit ?? 0) >= fits ? version.id : before.versionId,
              fit,
            }
          : { ...result, text, state: 'heard', versionId: version.id, fit },
      )
    } catch (error) {
      if (!(error instanceof AppError) && !signal.aborted)
        deps.log.error('failed to transcribe a voice sample', { error })
      ended({ ...before, state: 'failed', error: toFailure(error, clock()) })
    }
  }

  function transcribe(id: string): void {
    running.get(id)?.abort()
    const controller = new AbortController()
    running.set(id, controller)
    void listen(id, controller.signal).finally(() => {
      if (running.get(id) === controller) running.delete(id)
    })
  }

  return {
    transcribe,
    write(sample, text) {
      running.get(sample.id)?.abort()
      const { versionId, text: before } = sample
      const same = text !== '' && text === before.heard
      keep(sample, {
        ...before,
        text,
        state: same ? 'heard' : 'edited',
        versionId,
        fit: before.heard === null ? null : fitOf(text, { ...before, heard: before.heard }),
        error: null,
      })
    },
    resume() {
      for (const id of store.samples.untranscribed()) if (!running.has(id)) transcribe(id)
    },
    forget(itemIds) {
      for (const id of itemIds) running.get(id)?.abort()
    },
    busy: () => running.size > 0,
    shutdown() {
      for (const controller of running.values()) controller.abort()
    },
  }
}

/** Failures of an account that cannot transcribe at all. */
const cannotTranscribe: ReadonlySet<string> = new Set([
  'SERVICE_NOT_FOUND',
  'NOT_IMPLEMENTED',
  'MODEL_UNKNOWN',
  'PERMISSION_DENIED',
])

/** Requests it from another account if the first cannot transcribe, or recognizes nothing. Throws the error of the first. */
async function withFallback(
  first: () => Promise<TranscriptionResult>,
  other: () => Promise<TranscriptionResult>,
): Promise<TranscriptionResult> {
  const result = await first().catch((error: unknown) => {
    if (!(error instanceof AppError) || !cannotTranscribe.has(error.code)) throw error
    return error
  })
  if (!(result instanceof AppError) && result.text.trim() !== '') return result
  const instead = await other().catch(() => null)
  if (instead && instead.text.trim() !== '') return instead
  if (result instanceof AppError) throw result
  return result
}

/** Minimum share of equal words for a text to match the transcript. */
const fits = 0.8

/** Returns whether the user wrote the text; the state does not show this during another transcription. */
const isWritten = ({ text, heard: transcribed, state }: SampleText): boolean =>
  text !== '' && text !== transcribed && state !== 'heard'

/**
 * Returns how well a text matches the transcript; the on-device engine transcribes every language as English.
 */
function fitOf(
  text: string,
  { heard: transcribed, model }: { readonly heard: string; readonly model: string | null },
): number | null {
  if (text === '' || (model === engineNames.speech && !isEnglish(text))) return null
  return compareTranscript(text, transcribed).score
}
