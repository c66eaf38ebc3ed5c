import { createHash } from 'node:crypto'
import type { SpeechSettings } from '../../../shared/model/speech.ts'
import { spokenText } from '../../../shared/speech/split.ts'
import type { SpeakingStyle } from '../../store/speech-types.ts'

/** Names the sound that a text would be given: texts and settings that are the same need not be paid for twice. */
export function fingerprintOf(text: string, speakingStyle: SpeakingStyle): string {
  const { accountId, voiceId, speed, volume, watermark } = speakingStyle
  const all = [accountId, voiceId, speed, volume, watermark, spokenText(text)]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex')
}

/** The same for settings of a speech; null without a voice. */
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
