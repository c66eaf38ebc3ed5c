import type { Voice } from '../../../../../shared/model/voice.ts'
import { localAccountId } from '../../../../../shared/provider/profiles.ts'

/** Whether a voice cannot synthesize: this computer has no synthesis model, it plays the samples of cloned voices. */
export const isMute = (voice: Voice): boolean =>
  voice.accountId === localAccountId && voice.type === 'OFFICIAL'

/**
 * Whether a preview of any text can be generated: where the provider has none, or none that could be loaded. Another one
 * can be generated afterwards.
 */
export const offersPreview = (voice: Voice, failed: boolean): boolean =>
  voice.goneAt === null &&
  !isMute(voice) &&
  voice.previewKind !== 'service' &&
  (voice.downloadUrl === null || voice.previewKind === 'spoken' || failed)
