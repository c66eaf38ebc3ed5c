import type { Source } from '../../../../../shared/chats/sources.ts'
import type { RetrievalHit } from '../../../../../shared/model/retrieval.ts'

/** Converts a result to a source for display, with its images. */
export const sourceOfHit = (hit: RetrievalHit, images: Source['images'] = []): Source => ({
  number: hit.rank,
  ref: hit.rank,
  isCited: false,
  kind: hit.place.sheet === null ? 'passage' : 'row',
  title: hit.documentName,
  text: hit.text,
  score: hit.score,
  place: hit.place,
  moment: null,
  link: hit.url,
  documentId: hit.documentId,
  knowledgeId: hit.knowledgeId,
  images,
  steps: [],
})
