/** Colours of a knowledge base (spec 2.3); the first is the service's default. */
export const backgrounds = ['blue', 'red', 'orange', 'purple', 'sky', 'green', 'yellow'] as const
/** Icons of a knowledge base (spec 2.3); the first is the service's default. */
export const icons = ['question', 'book', 'seal', 'wrench', 'tag', 'horn', 'house'] as const
/** Vectorisation models by id (spec 2.3): id and code always go together. */
export const embeddingModels = {
  3: 'Embedding-2',
  11: 'Embedding-3',
  12: 'Embedding-3-pro',
} as const

/** Id of a vectorisation model. */
export type EmbeddingId = keyof typeof embeddingModels
/** Ids of the vectorisation models, as a form offers them. */
export const embeddingIds: readonly EmbeddingId[] = [3, 11, 12]
/** The model a new base begins with. */
export const usualEmbeddingId: EmbeddingId = 11

/** The code of a model that a service names by its id; null for one it does not publish. */
export const embeddingCode = (id: number | null): string | null =>
  embeddingIds.includes(id as EmbeddingId) ? embeddingModels[id as EmbeddingId] : null
