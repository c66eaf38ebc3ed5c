import { createHash } from 'node:crypto'
import type { SpeechSettings } from '../../../../../shared/model/speech.ts'
import { spokenText } from '../../../../../shared/voices/split.ts'
import type { SpeakingStyle } from '../../store/speech-types.ts'

/** Identifies the audio of a text: the same text and settings need not be paid for twice. */
export function fingerprintOf(text: string, speakingStyle: SpeakingStyle): string {
  const { accountId, voiceId, speed, volume, watermark } = speakingStyle
  const all = [accountId, voiceId, speed, volume, watermark, spokenText(text)]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex')
}

/** Returns the speaking style of narration settings; null without a voice. */
export const speakingStyleOf = (
  settings: SpeechSettings,
  activeAccountId: string,
): SpeakingStyle | null =>
  settings.voice && {
    accountId: settings.accountId ?? activeAccountId,
    voiceId: settings.voice.id,
    speed: settings.speed,
    volume: settings.volume,
    watermark: settings.watermark,
  }
