import type { HandoverDeps } from '../service/send-to/send-to.ts'
import type { DocumentsDeps } from '../service/document-service-types.ts'
import type { Pages } from '../../../platform/bridge/events.ts'

/** Sends document events to every page. */
export const documentEvents = (
  pages: Pages,
): Pick<DocumentsDeps, 'onDocument' | 'onPages' | 'onLibrary'> &
  Pick<HandoverDeps, 'onPushes' | 'onBases'> => ({
  onDocument: (document) => pages.emit({ type: 'document.changed', document }),
  onPages: (id, versionId, changed) =>
    pages.emit({ type: 'document.pages', id, versionId, pages: changed }),
  onPushes: (id) => pages.emit({ type: 'document.pushes', id }),
  onBases: (accountId) => pages.emit({ type: 'knowledge.changed', accountId, baseId: null }),
  onLibrary: (itemIds) => pages.emit({ type: 'library.changed', itemIds }),
})
