import type { Handover } from '../../services/documents/handover/handover.ts'
import type { Handlers } from '../router.ts'

/** Routes that give a document's text away. */
export const handoverHandlers = (
  handover: Handover,
): Pick<
  Handlers,
  'documents.text' | 'documents.bases' | 'documents.newBase' | 'documents.push' | 'documents.pushes'
> => ({
  'documents.text': (request) => handover.text(request),
  'documents.bases': (request) => handover.bases(request),
  'documents.newBase': (request) => handover.newBase(request),
  'documents.push': (request) => handover.push(request),
  'documents.pushes': (request) => handover.pushes(request),
})
