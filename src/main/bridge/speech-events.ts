import type { SpeakingParts } from '../services/speech/types.ts'
import type { Pages } from './events.ts'

/** Sends narration events to every page. */
export const speechEvents = (
  pages: Pages,
): Pick<SpeakingParts, 'onSpeech' | 'onSegments' | 'onLibrary'> => ({
  onSpeech: (speech) => pages.emit({ type: 'speech.changed', speech }),
  onSegments: (id, segments) => pages.emit({ type: 'speech.segments', id, segments }),
  onLibrary: (itemIds) => pages.emit({ type: 'library.changed', itemIds }),
})
