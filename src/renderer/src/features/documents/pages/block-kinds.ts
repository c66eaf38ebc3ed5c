import type { BlockKind } from '../../../../../shared/model/document.ts'

/** Every kind of block, in the order they are offered. */
export const blockKinds = [
  'title',
  'text',
  'table',
  'formula',
  'figure',
  'other',
] as const satisfies readonly BlockKind[]
