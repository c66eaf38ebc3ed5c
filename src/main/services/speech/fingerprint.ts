import { createHash } from 'node:crypto'
import type { SpeechSettings } from '../../../shared/model/speech.ts'
import { spokenText } from '../../../shared/speech/split.ts'

/** What a take depends on, beside its text. */
export type Manner = Pick<SpeechSettings, 'speed' | 'volume' | 'watermark'> & {
  readonly accountId: string
  readonly voiceId: string
}

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
