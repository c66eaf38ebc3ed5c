import type { Voice } from '../../../../shared/model/voice.ts'
import { localAccountId } from '../../../../shared/service/profiles.ts'

/** Whether nothing can be spoken with a voice: this computer has no model that speaks, it plays the samples of cloned voices. */
export const isMute = (voice: Voice): boolean =>
  voice.accountId === localAccountId && voice.type === 'OFFICIAL'
