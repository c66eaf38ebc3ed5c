import { createHash } from 'node:crypto'
import type { SpeechSettings } from '../../../shared/model/speech.ts'
import { spokenText } from '../../../shared/speech/split.ts'
import type { Manner } from '../../store/speech-types.ts'

/** Names the sound that a text would be given: texts and settings that are the same need not be paid for twice. */
export function fingerprintOf(text: string, manner: Manner): string {
  const { accountId, voiceId, speed, volume, watermark } = manner
  const all = [accountId, voiceId, speed, volume, watermark, spokenText(text)]
  return createHash('sha256').update(JSON.stringify(all)).digest('hex')
}

/** The same for settings of a speech; null without a voice. */
export const mannerOf = (settings: SpeechSettings, activeAccountId: string): Manner | null =>
  settings.voice && {
    accountId: settings.accountId ?? activeAccountId,
    voiceId: settings.voice.id,
    speed: settings.speed,
    volume: settings.volume,
    watermark: settings.watermark,
  }
