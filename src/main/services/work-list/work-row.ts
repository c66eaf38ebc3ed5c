import type { Work } from '../../../shared/model/work.ts'

/** A row of the list before it is completed: one that names no targets can move to every account. */
export type WorkRow = Omit<Work, 'targets' | 'bound' | 'mayBeDone'> &
  Partial<Pick<Work, 'targets' | 'bound'>>
