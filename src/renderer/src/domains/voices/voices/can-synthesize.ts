import type { Voice } from '../../../../../shared/model/voice.ts'
import { localAccountId } from '../../../../../shared/provider/profiles.ts'

/** Whether a voice cannot synthesize: this computer has no synthesis model, it plays the samples of cloned voices. */
export const isMute = (voice: Voice): boolean =>
  voice.accountId === localAccountId && voice.type === 'OFFICIAL'
