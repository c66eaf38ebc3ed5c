import type { TakeCheck } from '../../../shared/model/speech.ts'
import { localAccountId, wireModel } from '../../../shared/service/profiles.ts'
import { engineNames } from '../../../shared/service/engine-names.ts'
import { engineNotices, noticeParts } from '../../../shared/service/engine-notices.ts'
import { isEnglish } from '../../../shared/text/language.ts'
import { joinTexts } from '../../../shared/text/join.ts'
import { AppError, toFailure } from '../../errors.ts'
import { compareTranscript, maxTranscriptChars } from '../../speech/compare.ts'
import type { TakeRecord } from '../../store/speech-types.ts'
import { transcribeOnce } from '../transcribe/single-flight.ts'
import type { SpeakingParts } from './types.ts'

/** Hears a take again (service-notes 4) and compares it with what it was to say. */
export type Check = (take: TakeRecord, accountId: string, signal: AbortSignal) => Promise<TakeCheck>

/** Builds it. Throws what the client throws for failures that another try may mend; others are told in the check. */
export function createCheck(parts: SpeakingParts): Check {
  const { api, files, accounts, clock, store } = parts
  return async (take, accountId, signal) => {
    // The engine of this computer understands English alone: what it made of anything else would only alarm.
    if (accountId === localAccountId && !isEnglish(take.text))
      return { state: 'unchecked', reason: 'language', engine: engineNames.speech, error: null }
    try {
      const clips = await parts.spoken.checkClips(await files.path(take.mediaId))
      const target = await accounts.target(accountId)
      const texts: string[] = []
      let engine = wireModel(target.profile, 'gen-asr-2512')
      let unsure = false
      for (const { bytes, seconds } of clips) {
        const file = {
          content: bytes,
          bytes: bytes.length,
          name: 'audio.wav',
          mime: 'audio/wav' as const,
          seconds,
        }
        const request = { file, prompt: '', hotwords: [], stream: false }
        const result = await transcribeOnce(api, target, request, { signal })
        if (!result.noSpeech) texts.push(parts.mask(result.text))
        engine = parts.mask(result.model)
        unsure ||= isUnsure(result.notice)
      }
      // A service that tells a book for a sentence is not kept with every take.
      const transcribed = joinTexts(texts).slice(0, maxTranscriptChars).toWellFormed()
      const { score, marks } = compareTranscript(take.text, transcribed)
      return { state: 'heard', score, marks, heard: transcribed, engine, unsure }
    } catch (error) {
      if (!(error instanceof AppError) || error.retriable || signal.aborted) throw error
      const engine = store.accounts.get(accountId)?.name ?? ''
      return { state: 'unchecked', reason: 'failed', engine, error: toFailure(error, clock()) }
    }
  }
}

const isUnsure = (notice: string | null): boolean =>
  notice !== null &&
  noticeParts(notice).some((part) => 'known' in part && part.known === 'uncertain')

/** Whether who spoke says that it does not say the text: speaking anew would change nothing. */
export const cannotSpeak = (notice: string | null): boolean =>
  notice !== null && notice.includes(engineNotices.cannotSpeak)

/** Words that were not heard: so many of a piece, or so many in a row, are no slip of the engine that heard it. */
const maxMissing = { share: 0.08, run: 3, score: 0.5 }

/** Whether a take lacks words, so that it is worth speaking anew. */
export function isMissingText(take: TakeRecord): boolean {
  const { check } = take
  if (check?.state !== 'heard' || check.unsure || cannotSpeak(take.notice)) return false
  const { words, missing, longestMissing } = compareTranscript(take.text, check.heard)
  if (words === 0) return false
  return (
    missing / words > maxMissing.share ||
    longestMissing >= maxMissing.run ||
    check.score < maxMissing.score
  )
}
