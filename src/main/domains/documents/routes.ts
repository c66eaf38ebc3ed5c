import type { DocumentExports } from './service/exports.ts'
import type { Highlights } from './service/highlights.ts'
import type { Handover } from './service/send-to/send-to.ts'
import type { DocumentReader } from './service/reader.ts'
import type { DocumentsService } from './service/document-service-types.ts'
import type { Handlers } from '../../platform/bridge/router.ts'

/** Handlers of documents: actions and queries. */
export const documentHandlers = (
  documents: DocumentsService,
  reader: DocumentReader,
  exports: Pick<DocumentExports, 'write'>,
  handover: Handover,
): Pick<Handlers, Extract<keyof Handlers, `documents.${string}`>> => ({
  'documents.create': (request) => documents.create(request),
  'documents.get': ({ id }) => {
    const document = documents.get(id)
    const place = reader.place(id)
    const page = place?.page ?? 1
    const [image] = documents.images(id, { first: page, last: page, width: 1240 })
    return { document, place, preview: image?.mediaId ?? null }
  },
  'documents.unlock': async ({ id, password }) => ({
    document: await documents.unlock(id, password),
  }),
  'documents.plan': (request) => documents.plan(request),
  'documents.parse': (request) => ({ version: documents.parse(request) }),
  'documents.cancel': async ({ versionId }) => ({ version: await documents.cancel(versionId) }),
  'documents.retry': (request) => ({ version: documents.retry(request) }),
  'documents.prioritise': ({ versionId, priority }) => ({
    version: documents.prioritise(versionId, priority),
  }),
  'documents.queue': () => ({ versions: documents.queue() }),
  'documents.pages': (request) => documents.pages(request),
  'documents.choose': (request) => {
    documents.choose(request)
    return {}
  },
  'documents.coverage': ({ id }) => ({ versions: reader.coverage(id) }),
  'documents.compare': async (request) => ({ changes: await reader.compare(request) }),
  'documents.block': ({ id, blockId }) => ({ block: reader.block(id, blockId) }),
  'documents.edit': (request) => ({ block: documents.edit(request) }),
  'documents.find': ({ id, query, from }) => reader.find(id, query, from),
  'documents.returned': ({ id, page, versionId }) => reader.returned(id, page, versionId),
  'documents.place': ({ id, place }) => {
    reader.setPlace(id, place)
    return {}
  },
  'documents.image': async (request) => ({ media: await documents.image(request) }),
  'documents.loadImage': async (request) => ({
    mediaId: await documents.loadImage(request),
  }),
  'documents.images': ({ id, ...which }) => ({ images: documents.images(id, which) }),
  'documents.export': async (request, { signal }) => ({
    media: await exports.write(request, signal),
  }),
  'documents.crop': async ({ id, blockId }) => ({ media: await reader.crop(id, blockId) }),
  'documents.text': (request) => handover.text(request),
  'documents.bases': (request) => handover.bases(request),
  'documents.newBase': (request) => handover.newBase(request),
  'documents.push': (request) => handover.push(request),
  'documents.pushes': (request) => handover.pushes(request),
})

/** Handlers of highlights on the pages of documents. */
export const highlightHandlers = (
  highlights: Highlights,
  exports: Pick<DocumentExports, 'writeHighlights'>,
): Pick<Handlers, Extract<keyof Handlers, `highlights.${string}`>> => ({
  'highlights.list': ({ documentId }) => ({ highlights: highlights.list(documentId) }),
  'highlights.add': (request) => ({ highlights: highlights.add(request) }),
  'highlights.change': (request) => ({ highlight: highlights.change(request) }),
  'highlights.remove': ({ ids }) => {
    highlights.remove(ids)
    return {}
  },
  'highlights.restore': ({ ids }) => {
    highlights.restore(ids)
    return {}
  },
  'highlights.export': async (request, { signal }) => ({
    media: await exports.writeHighlights(request, signal),
  }),
})
