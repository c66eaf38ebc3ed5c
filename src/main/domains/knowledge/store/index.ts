// What other domains use of this one's stores; workers load it without the services.

export { retrievalTexts, retrievalRows } from './retrieval-texts.ts'
export { spaceId, type VectorSpace } from './vectors.ts'
