import type { SemanticIndex } from '../../../../../shared/model/semantic.ts'

/** Returns the index of an address; without one, or if it no longer exists, the one used last. */
export const indexOf = (indexes: readonly SemanticIndex[], id: string): SemanticIndex | null =>
  indexes.find((index) => String(index.id) === id) ?? indexes[0] ?? null
