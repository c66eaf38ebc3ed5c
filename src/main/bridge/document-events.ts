import type { DocumentsDeps } from '../services/documents/types.ts'
import type { Pages } from './events.ts'

/** What documents tell goes to every page. */
export const documentEvents = (
  pages: Pages,
): Pick<DocumentsDeps, 'onDocument' | 'onPages' | 'onLibrary'> => ({
  onDocument: (document) => pages.emit({ type: 'document.changed', document }),
  onPages: (id, versionId, changed) =>
    pages.emit({ type: 'document.pages', id, versionId, pages: changed }),
  onLibrary: (itemIds) => pages.emit({ type: 'library.changed', itemIds }),
})
