import type { BlockKind } from '../../../../../shared/model/document.ts'

/** All block types in the order in which they are offered. */
export const blockKinds = [
  'title',
  'text',
  'table',
  'formula',
  'figure',
  'other',
] as const satisfies readonly BlockKind[]
