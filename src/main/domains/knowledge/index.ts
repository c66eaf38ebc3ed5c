// What other domains use of this one.

export type { Knowledge } from './service/knowledge.ts'
export type { Embeddings } from './service/embeddings/embeddings.ts'
export { dataOf, type Slices } from './service/slices/chunk-retrieval.ts'
export type { EmbedTexts } from './service/vectors/embed-texts.ts'
export { vectorSpaceOf } from './service/vectors/space.ts'
