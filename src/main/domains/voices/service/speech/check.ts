import type { TakeCheck } from '../../../../../shared/model/speech.ts'
import { localAccountId, wireModel } from '../../../../../shared/provider/profiles.ts'
import { engineNames } from '../../../../../shared/provider/engine-names.ts'
import { engineNotices, noticeParts } from '../../../../../shared/provider/engine-notices.ts'
import { isEnglish } from '../../../../../shared/text/language.ts'
import { joinTexts } from '../../../../../shared/text/join.ts'
import { compareTranscript, maxTranscriptChars } from '../../worker/compare.ts'
import type { TakeRecord } from '../../store/speech-types.ts'
import { transcribeOnce } from '../../../audio/index.ts'
import type { SpeakingParts } from './types.ts'

/** Transcribes a take (service-notes 4) and compares it with its text. */
export type Check = (take: TakeRecord, accountId: string, signal: AbortSignal) => Promise<TakeCheck>

/** Creates the check. It throws client errors. */
export function createCheck(parts: SpeakingParts): Check {
  const { api, files, accounts } = parts
  return async (take, accountId, signal) => {
    // The on-device engine supports only English; its result for other languages would only alarm the user.
    if (accountId === localAccountId && !isEnglish(take.text))
      return { state: 'unchecked', reason: 'language', engine: engineNames.speech, error: null }
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
    // Limits the saved text, in case a provider returns a whole book for a sentence.
    const transcribed = joinTexts(texts).slice(0, maxTranscriptChars).toWellFormed()
    const { score, marks } = compareTranscript(take.text, transcribed)
    return { state: 'heard', score, marks, heard: transcribed, engine, unsure }
  }
}

const isUnsure = (notice: string | null): boolean =>
  notice !== null &&
  noticeParts(notice).some((part) => 'known' in part && part.known === 'uncertain')

/**
 * Returns whether the engine reports that it cannot speak the text, so that generating it again would change nothing.
 */
export const cannotSpeak = (notice: string | null): boolean =>
  notice !== null && notice.includes(engineNotices.cannotSpeak)

/** Limits for missing words: this share of a segment, or this many in a row, is no transcription error. */
const maxMissing = { share: 0.08, run: 3, score: 0.5 }

/** Returns whether words are missing from a take, so that it is worth generating again. */
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
