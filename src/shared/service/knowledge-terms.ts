/** Colours of a knowledge base (spec 2.3). */
export const backgrounds = ['blue', 'red', 'orange', 'purple', 'sky', 'green', 'yellow'] as const
/** Icons of a knowledge base (spec 2.3). */
export const icons = ['question', 'book', 'seal', 'wrench', 'tag', 'horn', 'house'] as const
/** Vectorisation models by id (spec 2.3). */
export const embeddingModels = {
  3: 'Embedding-2',
  11: 'Embedding-3',
  12: 'Embedding-3-pro',
} as const
