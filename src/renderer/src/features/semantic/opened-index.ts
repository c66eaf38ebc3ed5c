import type { SemanticIndex } from '../../../../shared/model/semantic.ts'

/** The index an address names; where it names none, or one that is gone, the one used last. */
export const indexOf = (indexes: readonly SemanticIndex[], id: string): SemanticIndex | null =>
  indexes.find((index) => String(index.id) === id) ?? indexes[0] ?? null
