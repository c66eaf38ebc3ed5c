import type { SpeakingParts } from '../services/speech/types.ts'
import type { Pages } from './events.ts'

/** What speeches tell goes to every page. */
export const speechEvents = (
  pages: Pages,
): Pick<SpeakingParts, 'onSpeech' | 'onPieces' | 'onLibrary'> => ({
  onSpeech: (speech) => pages.emit({ type: 'speech.changed', speech }),
  onPieces: (id, pieces) => pages.emit({ type: 'speech.pieces', id, pieces }),
  onLibrary: (itemIds) => pages.emit({ type: 'library.changed', itemIds }),
})
